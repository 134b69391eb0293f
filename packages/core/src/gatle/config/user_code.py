"""Importing the user's own modules, resolved against the folder of their config."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import sysconfig
import traceback
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from gatle.errors import ConfigError
from gatle.plugins import did_you_mean

_OWN = str(Path(__file__).parents[1])
_INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
_LISTED = 12


class FolderFinder:
    """Finds top-level modules of one folder before anywhere else.

    A folder `models/` without `__init__.py` loses to an installed package `models` under Python's
    own rules; a user who writes `models.mlp:Net` beside that folder means the folder. So names that
    were chosen like that win in any form, others (a folder `wandb/` may hold run logs) only as a
    file or as a package with `__init__.py`, and names of the standard library never.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chosen: set[str] = set()
        self.served: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a top-level module of the folder; the import system calls this."""
        if path is not None or not (name in self.chosen or lies_beside(self.folder, name)):
            return None
        spec = PathFinder.find_spec(name, [str(self.folder)])
        if spec is not None and spec.loader is None:
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(self.folder / name)]
        self.served.add(name)
        return spec


def enter(folder: Path) -> None:
    """Let imports find the modules of a folder, in place of those of folders entered before."""
    finders = [finder for finder in sys.meta_path if isinstance(finder, FolderFinder)]
    finder = next((f for f in finders if f.folder == folder), None) or FolderFinder(folder)
    if finder in sys.meta_path:
        sys.meta_path.remove(finder)
    sys.meta_path.insert(0, finder)
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    for other in finders:
        if other is not finder:
            _forget(name for name in other.served if _holds(folder, name))
    importlib.invalidate_caches()


def import_from(folder: Path, name: str) -> ModuleType:
    """Import a module by dotted path, from the folder if it lies there, else as installed.

    Raises:
        ConfigError: If it is not found or raises while it is imported.
    """
    enter(folder)
    if _lies_in(folder, name):
        _choose(folder, name.partition(".")[0])
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            hint = did_you_mean(name, _modules_beside(folder, error.name))
            what = f"there is no module {error.name!r} in {folder} nor among installed packages"
            raise ConfigError(f"{what}{hint}", fix=f"check the path {name!r}") from error
        raise import_error(name, error) from error
    except (Exception, SystemExit) as error:
        raise import_error(name, error) from error


def import_error(name: str, error: BaseException) -> ConfigError:
    """Return an error for user code that failed on import, naming the user's line."""
    place = user_line(error)
    what = f"importing {name!r} failed: {reason(error)}"
    return ConfigError(what, where=place and f"At {place}")


def reason(error: BaseException) -> str:
    """Return type and message of an error in one piece."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def user_line(error: BaseException) -> str | None:
    """Return `file:line` of the last frame of the user's code, else of installed code.

    Frames of gatle and of the import system are never named.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    others = [f for f in frames if not f.filename.startswith((_OWN, "<frozen"))]
    theirs = [f for f in others if not f.filename.startswith(_INSTALLED)] or others
    return f"{theirs[-1].filename}:{theirs[-1].lineno}" if theirs else None


def attribute(module: ModuleType, name: str) -> Any:
    """Return a possibly dotted attribute of a module.

    Raises:
        ConfigError: If it is missing; the message lists what is there.
    """
    value: Any = module
    path = module.__name__
    for part in name.split("."):
        if not hasattr(value, part):
            there = _public(value)
            what = f"{path!r} has no {part!r}{did_you_mean(part, there)}"
            more = ", ..." if len(there) > _LISTED else ""
            listed = ", ".join(there[:_LISTED]) + more
            raise ConfigError(what, fix=f"name one of {listed}" if there else f"define {part!r}")
        value, path = getattr(value, part), f"{path}.{part}"
    return value


def lies_beside(folder: Path, top: str) -> bool:
    """Whether a top-level name is a file or a regular package of the folder."""
    if top in sys.stdlib_module_names or not top:
        return False
    return (folder / f"{top}.py").is_file() or (folder / top / "__init__.py").is_file()


def _public(value: Any) -> list[str]:
    """Return what a module or class defines to be called, or else all its public names."""
    there = getattr(value, "__dict__", {})
    home = _package(value) or getattr(value, "__name__", "").partition(".")[0]
    names = [name for name, item in there.items() if not name.startswith("_") and callable(item)]
    own = [name for name in names if _package(there[name]) == home]
    return sorted(own or names)


def _package(value: Any) -> str:
    return str(getattr(value, "__module__", "")).partition(".")[0]


def _modules_beside(folder: Path, missing: str) -> list[str]:
    """Return the dotted paths of modules that lie where a missing one was looked for."""
    parent = missing.rpartition(".")[0]
    loaded = sys.modules.get(parent)
    places = _paths(loaded)
    places.append(str(folder.joinpath(*parent.split("."))))
    names = [module.name for module in pkgutil.iter_modules(places)]
    if not parent:
        names += [path.parent.name for path in folder.glob("*/*.py")]
    return [f"{parent}.{name}" if parent else name for name in names]


def _lies_in(folder: Path, name: str) -> bool:
    """Whether a dotted path that was asked for is code of the folder."""
    top, *rest = name.split(".")
    if top in sys.stdlib_module_names or not top:
        return False
    return lies_beside(folder, top) or (bool(rest) and _exists(folder.joinpath(top, *rest)))


def _exists(module: Path) -> bool:
    return module.is_dir() or module.with_name(f"{module.name}.py").is_file()


def _holds(folder: Path, top: str) -> bool:
    return (folder / f"{top}.py").is_file() or (folder / top).is_dir()


def _choose(folder: Path, top: str) -> None:
    for finder in sys.meta_path:
        if isinstance(finder, FolderFinder) and finder.folder == folder:
            finder.chosen.add(top)
    loaded = sys.modules.get(top)
    if loaded is not None and not _is_from(loaded, folder, top):
        _forget([top])


def _forget(tops: Iterable[str]) -> None:
    """Drop modules, so that the next import finds others of the same names."""
    dropped = set(tops)
    for name in [n for n in sys.modules if n.partition(".")[0] in dropped]:
        del sys.modules[name]


def _is_from(module: ModuleType, folder: Path, top: str) -> bool:
    """Whether a top-level module is the folder's own, and not one of an environment inside it."""
    file = getattr(module, "__file__", None)
    if file:
        return Path(file).resolve().parent in {folder.resolve(), folder.resolve() / top}
    return any(Path(path).resolve() == folder.resolve() / top for path in _paths(module))


def _paths(package: ModuleType | None) -> list[str]:
    spec = getattr(package, "__spec__", None)
    return list(getattr(spec, "submodule_search_locations", None) or ())
