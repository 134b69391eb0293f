"""The log of record: one JSON object per line, one writer per file, one write per line.

NaN and the infinities are spelled as text, because JSON has no numbers for them and encoders
silently write null.
"""

from __future__ import annotations

import errno
import math
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

VERSION = 1
_NAMES = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class Recorder:
    """Appends events to one file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._encoder = msgspec.json.Encoder()

    def write(self, kind: str, *, step: int, epoch: int, **values: Any) -> None:
        """Append one event; the line is whole in the file when this returns."""
        event = {"v": VERSION, "t": time.time(), "kind": kind, "step": step, "epoch": epoch}
        line = self._encoder.encode(event | finite(values)) + b"\n"
        if os.write(self._file, line) != len(line):
            raise OSError(errno.ENOSPC, "the log of record could not be written whole")

    def close(self) -> None:
        """Make what was written durable and close the file."""
        os.fsync(self._file)
        os.close(self._file)


@dataclass(slots=True, kw_only=True)
class Record:
    """What was read: the events, and how many lines could not be read."""

    events: list[dict[str, Any]] = field(default_factory=list)
    bad_lines: int = 0


def read(folder: Path) -> Record:
    """Read all events of a run; a last line without its newline is left for the next read."""
    record = Record()
    for path in sorted((folder / "events").glob("rank0-*.jsonl")):
        for line in _whole_lines(path.read_bytes()):
            try:
                record.events.append(numbers(msgspec.json.decode(line, type=dict[str, Any])))
            except (msgspec.DecodeError, UnicodeDecodeError):
                record.bad_lines += 1
    return record


def finite(value: Any) -> Any:
    """Spell non-finite numbers, at any depth, as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def numbers(event: dict[str, Any]) -> dict[str, Any]:
    """Turn the spelled numbers of an event, at any depth, back into numbers."""
    return {key: _number(value) for key, value in event.items()}


def _number(value: Any) -> Any:
    if isinstance(value, dict):
        return numbers(value)
    if isinstance(value, list):
        return [_number(item) for item in value]
    return _NAMES.get(value, value) if isinstance(value, str) else value


def _whole_lines(content: bytes) -> Iterator[bytes]:
    yield from content[: content.rfind(b"\n") + 1].splitlines()
