"""Importing the user's own modules, resolved against the folder of their config."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from gatle.errors import ConfigError
from gatle.plugins import did_you_mean


class FolderFinder:
    """Finds chosen top-level names in one folder before anywhere else.

    A folder `models/` without `__init__.py` loses to an installed package `models` under Python's
    own rules; a user who writes `models.mlp:Net` beside that folder means the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a chosen top-level name; the import system calls this."""
        if path is not None or name not in self.names:
            return None
        spec = PathFinder.find_spec(name, [str(self.folder)])
        if spec is not None and spec.loader is None:
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(self.folder / name)]
        return spec


def import_from(folder: Path, name: str) -> ModuleType:
    """Import a module by dotted path, from the folder if it lies there, else as installed.

    Raises:
        ConfigError: If it is not found or raises while it is imported.
    """
    top = name.partition(".")[0]
    if _lies_in(folder, top):
        _prefer(folder, top)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            what = f"there is no module {error.name!r} in {folder} nor among installed packages"
            raise ConfigError(what, fix=f"check the path {name!r}") from error
        raise import_error(name, error) from error
    except Exception as error:
        raise import_error(name, error) from error


def import_error(name: str, error: Exception) -> ConfigError:
    """Return an error for user code that failed on import, naming the user's line."""
    place = user_line(error)
    reason = f"{type(error).__name__}: {error}"
    return ConfigError(f"importing {name!r} failed: {reason}", where=place and f"At {place}")


def user_line(error: BaseException) -> str | None:
    """Return `file:line` of the last frame that is not gatle's or the import system's."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    own = str(Path(__file__).parents[1])
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if not f.filename.startswith((own, "<frozen"))]
    return f"{theirs[-1].filename}:{theirs[-1].lineno}" if theirs else None


def attribute(module: ModuleType, name: str) -> Any:
    """Return a possibly dotted attribute of a module.

    Raises:
        ConfigError: If it is missing; the message lists what is there.
    """
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            public = [key for key in vars(module) if not key.startswith("_")]
            what = f"{module.__name__!r} has no {part!r}{did_you_mean(part, public)}"
            raise ConfigError(what, fix=f"name one of {', '.join(sorted(public)) or 'nothing'}")
        value = getattr(value, part)
    return value


def _lies_in(folder: Path, top: str) -> bool:
    if top in sys.stdlib_module_names or not top.isidentifier():
        return False
    return (folder / top).is_dir() or (folder / f"{top}.py").is_file()


def _prefer(folder: Path, top: str) -> None:
    finder = next(
        (f for f in sys.meta_path if isinstance(f, FolderFinder) and f.folder == folder), None
    )
    if finder is not None:
        sys.meta_path.remove(finder)
    finder = finder or FolderFinder(folder)
    sys.meta_path.insert(0, finder)
    finder.names.add(top)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    _forget_others(folder, top)
    importlib.invalidate_caches()


def _forget_others(folder: Path, top: str) -> None:
    """Drop a module of the same name that was imported from elsewhere."""
    loaded = sys.modules.get(top)
    if loaded is None or _is_from(loaded, folder):
        return
    for name in [n for n in sys.modules if n == top or n.startswith(f"{top}.")]:
        del sys.modules[name]


def _is_from(module: ModuleType, folder: Path) -> bool:
    origin = getattr(module, "__file__", None)
    places = [origin] if origin else list(getattr(module, "__path__", []))
    return any(Path(place).is_relative_to(folder) for place in places)
