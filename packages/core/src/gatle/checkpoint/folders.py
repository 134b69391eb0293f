"""Checkpoint folders: whole on disk or not there, with a manifest that proves it.

A checkpoint is written beside its final name, made durable, renamed, and only then pointed to by
`latest` or `best`. An old one goes when no pointer names it any more.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import xxhash

from gatle.errors import CheckpointError
from gatle.run.files import sync_folder, write_json, write_text
from gatle.run.record import finite

SCHEMA = "gatle.checkpoint/1"
POINTERS = ("latest", "best")
_PREFIX = "step-"
_NAME = re.compile(rf"{_PREFIX}[0-9]+")


def folder_name(step: int) -> str:
    """Return the name of the checkpoint of a step."""
    return f"{_PREFIX}{step:08d}"


def commit(
    root: Path, *, step: int, facts: Mapping[str, Any], write: Callable[[Path], None]
) -> Path:
    """Make a checkpoint folder from what `write` puts into it; all of it or nothing.

    Args:
        root: The run's `checkpoints` folder.
        step: Optimizer steps completed.
        facts: What the manifest says besides the digests.
        write: Writes the files into the folder it is given.

    Raises:
        CheckpointError: If the disk refuses it; torch says so with a `RuntimeError`.
    """
    root.mkdir(exist_ok=True)
    final = root / folder_name(step)
    temporary = root / f".{final.name}.{os.getpid()}.tmp"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    try:
        write(temporary)
        digests = {
            path.relative_to(temporary).as_posix(): _seal(path) for path in _files(temporary)
        }
        manifest = {"schema": SCHEMA, "step": step, **facts, "xxh3_128": digests}
        write_json(temporary / "manifest.json", finite(manifest))
        _replace(final, temporary)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if isinstance(error, OSError | RuntimeError):
            raise _unwritten(root, step, error) from error
        raise
    sync_folder(root)
    return final


def _unwritten(root: Path, step: int, error: Exception) -> CheckpointError:
    free_mib = shutil.disk_usage(root).free / 1024**2
    reason = next(iter(str(error).splitlines()), "")
    what = (
        f"the checkpoint of step {step} could not be written to {root}, where {free_mib:,.1f} MiB "
        f"are free: {type(error).__name__}: {reason}"
    )
    return CheckpointError(what, fix="make room, or say another --runs DIR")


def point(root: Path, name: str, folder: Path) -> None:
    """Let a pointer name a checkpoint."""
    write_text(root / name, folder.name + "\n")


def pointed(root: Path, name: str) -> Path | None:
    """Return the checkpoint a pointer names, or `None`."""
    path = root / name
    return root / path.read_text().strip() if path.is_file() else None


def prune(root: Path) -> None:
    """Delete every checkpoint that no pointer names, and what killed processes left of others."""
    kept = {pointed(root, name) for name in POINTERS}
    unfinished = root.glob(f".{_PREFIX}*.tmp")
    for folder in [*every(root), *unfinished]:
        if folder not in kept:
            shutil.rmtree(folder, ignore_errors=True)  # what stays goes with the next checkpoint


def every(root: Path) -> list[Path]:
    """Return all checkpoint folders, the newest step first."""
    found = [p for p in root.glob(f"{_PREFIX}*") if _NAME.fullmatch(p.name) and p.is_dir()]
    return sorted(found, key=_step, reverse=True)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a checkpoint after checking every digest it states.

    Raises:
        CheckpointError: If anything is missing or differs.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
        for name, digest in manifest["xxh3_128"].items():
            if _digest(folder / name) != digest:
                what = f"checkpoint {folder} is damaged: {name} does not match its digest"
                raise CheckpointError(what)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise CheckpointError(f"checkpoint {folder} is not whole: {reason}") from error
    return manifest


def find_whole(root: Path, which: str, *, say: Callable[[str], None]) -> Path:
    """Return a whole checkpoint: the one asked for, else the newest whole one, saying so.

    Args:
        root: The run's `checkpoints` folder.
        which: `best`, `latest`, a step, or the path of a checkpoint folder.
        say: Told in a sentence when another one than asked for is taken.

    Raises:
        CheckpointError: If none is whole, or a step or path that was asked for is not.
    """
    wanted = _wanted(root, which)
    if which not in POINTERS:
        if wanted is None or not wanted.is_dir():
            raise _missing(root, which)
        try:
            read_manifest(wanted)
        except CheckpointError as error:
            raise _missing(root, which, [str(error)]) from error
        return wanted
    problems: list[str] = []
    for folder in dict.fromkeys([*([wanted] if wanted else []), *every(root)]):
        try:
            read_manifest(folder)
        except CheckpointError as error:
            problems.append(str(error))
            continue
        if folder != wanted:
            say(f"checkpoint {which!r} is not available{_because(problems)}; using {folder.name}")
        return folder
    what = f"there is no whole checkpoint {which!r} in {root}{_because(problems)}"
    raise CheckpointError(what, fix="train again")


def _wanted(root: Path, which: str) -> Path | None:
    if which in POINTERS:
        return pointed(root, which)
    if which.isdecimal():
        return root / folder_name(int(which))
    return Path(which)


def _missing(root: Path, which: str, problems: Iterable[str] = ()) -> CheckpointError:
    what = f"there is no whole checkpoint {which!r} in {root}{_because(problems)}"
    there = [*(name for name in sorted(POINTERS) if pointed(root, name)), *map(_step, every(root))]
    return CheckpointError(what, fix=f"choose one of {_listed(there)}" if there else None)


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))


def _step(folder: Path) -> int:
    return int(folder.name.removeprefix(_PREFIX))


def _because(problems: Iterable[str]) -> str:
    text = "; ".join(problem.rstrip(".") for problem in problems)
    return f" ({text})" if text else ""


def _replace(final: Path, temporary: Path) -> None:
    """Give a folder its final name; one that has it goes only when the new one is there."""
    old = final.with_name(f".{final.name}.{os.getpid()}.old.tmp")
    if final.exists():
        final.rename(old)
    temporary.rename(final)
    shutil.rmtree(old, ignore_errors=True)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _seal(path: Path) -> str:
    with path.open("rb") as file:
        os.fsync(file.fileno())
    return _digest(path)


def _digest(path: Path) -> str:
    digest = xxhash.xxh3_128()
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            digest.update(chunk)
    return digest.hexdigest()
