"""The folder of a run: made once, found by name, never shared by two runs."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from gatle.environment import runs_root as default_root
from gatle.errors import ConfigError
from gatle.plugins import did_you_mean

__all__ = ["create_folder", "default_root", "find_folder"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def create_folder(root: Path, name: str | None, *, prefix: str) -> Path:
    """Make a run's folder; a name that was not asked for is unique by itself.

    `mkdir` decides between runs that start in the same instant.

    Raises:
        ConfigError: If a name was asked for that is taken or is no plain folder name, or the
            folder cannot be made.
    """
    if name is not None:
        return _create_named(root, name)
    stem = f"{_plain(prefix)}-{datetime.now():%Y%m%d-%H%M%S}"
    number = 1
    while True:
        folder = root / (stem if number == 1 else f"{stem}-{number}")
        if _made(folder):
            return folder
        number += 1


def find_folder(run: str, *, root: Path) -> Path:
    """Return a run's folder by path or by name; an existing path wins.

    Raises:
        ConfigError: If neither exists or the folder holds no run.
    """
    folder = Path(run) if Path(run).exists() else root / run
    if (folder / "run.json").is_file():
        return folder
    if folder.is_dir():
        what = f"{str(folder)!r} holds no run (it has no run.json)"
        raise ConfigError(what, fix="name a run's folder")
    names = [path.parent.name for path in root.glob("*/run.json")]
    what = f"there is no run {run!r} in {str(root)!r}{did_you_mean(Path(run).name, names)}"
    raise ConfigError(what, fix="name a run's folder, or say --runs DIR")


def _create_named(root: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        what = f"{name!r} cannot be a run's name: expected letters, digits, '.', '_' and '-'"
        raise ConfigError(what, fix="choose another --name")
    folder = root / name
    if not _made(folder):
        what = f"there is already a run {name!r} in {str(root)!r}"
        raise ConfigError(what, fix="choose another --name")
    return folder


def _made(folder: Path) -> bool:
    """Make a folder; `False` if it is there already."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return False
    except OSError as error:
        what = f"the run's folder {str(folder)!r} cannot be made: {error.strerror}"
        raise ConfigError(what, fix="say another --runs DIR") from error
    return True


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "run"
