"""Checkpoints: what is written, where, and how it is known to be whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from gatle.checkpoint.folders import (
    commit,
    every,
    find_whole,
    folder_name,
    point,
    pointed,
    prune,
    read_manifest,
)


class Format(Protocol):
    """How the parts of a checkpoint become files."""

    def write(self, folder: Path, parts: Mapping[str, Mapping[str, Any]]) -> None:
        """Write the parts into a folder."""
        ...

    def read(self, folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Read the named parts."""
        ...


__all__ = [
    "Format",
    "commit",
    "every",
    "find_whole",
    "folder_name",
    "point",
    "pointed",
    "prune",
    "read_manifest",
]
