"""Reading a config, however it is written, into one tree of plain values with origins."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gatle.config.literals import parse_literal
from gatle.config.problems import Origin
from gatle.config.recorder import Recorder, record
from gatle.config.secrets import shown
from gatle.config.toml_lines import key_lines
from gatle.config.user_code import enter, reason, user_line
from gatle.errors import ConfigError
from gatle.plugins import did_you_mean

CONFIG_SUFFIXES = (".toml", ".py")
MODULE_PREFIX = "gatle_config_"
"""What a config file is called while it runs, before its own name."""

_TEXT_KEYS = {"task", "name", "format", "score", "launcher", "device", "dtype"}
_FREE = {"params", "project", "plugin"}
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Plain nested values as they were written, before any of them is checked.

    Attributes:
        values: Nested mappings.
        origins: Where each dotted path was set.
        source: What to call this config in messages.
        folder: The folder that dotted paths and relative paths are resolved against.
    """

    values: dict[str, Any]
    origins: dict[str, Origin]
    source: str
    folder: Path = field(default_factory=Path.cwd)

    def origin(self, path: str) -> Origin:
        """Return where a dotted path or its nearest parent was set."""
        while path and path not in self.origins:
            path = path.rpartition(".")[0]
        return self.origins.get(path, Origin(place=self.source))

    def get(self, path: str) -> Any:
        """Return the value at a dotted path, or `None`."""
        return _at(self.values, path)


def load_file(path: Path) -> Tree:
    """Read a TOML file, or a Python file with `get_config()`.

    Raises:
        ConfigError: If the file is missing, of another kind, or broken.
    """
    if not path.is_file():
        names = [item.name for item in path.parent.glob("*") if item.suffix in CONFIG_SUFFIXES]
        what = f"there is no config file {str(path)!r}{did_you_mean(path.name, names)}"
        raise ConfigError(what, fix="check the path")
    if path.suffix == ".toml":
        return _load_toml(path)
    if path.suffix == ".py":
        return _load_python(path)
    what = f"{str(path)!r} is not a config: expected a file ending in .toml or .py"
    raise ConfigError(what, fix="name a TOML file, or a Python file with get_config()")


def load_object(
    config: Recorder | Mapping[str, Any], *, source: str, folder: Path | None = None
) -> Tree:
    """Read a `gatle.Config` or a mapping.

    Args:
        config: What the user wrote.
        source: What to call it in messages.
        folder: What dotted paths are resolved against; by default the folder of the file in which
            the `gatle.Config` was written, else the current one.

    Raises:
        ConfigError: If it is neither.
    """
    if not isinstance(config, Recorder | Mapping):
        what = f"expected a gatle.Config or a dict, got a value of type {type(config).__name__}"
        raise ConfigError(what, where=f"In {source}", fix="return gatle.Config(...)")
    plain, origins = record(config if isinstance(config, Recorder) else dict(config))
    folder = folder or _folder_of(origins.get(""))
    origins.setdefault("", Origin(place=source))
    return Tree(values=plain, origins=origins, source=source, folder=folder)


def _folder_of(origin: Origin | None) -> Path:
    """Return the folder of the file a config was written in; a dict is the program's own."""
    import __main__

    name = origin.place.rpartition(":")[0] if origin else getattr(__main__, "__file__", None)
    file = Path(name) if name else None
    return file.resolve().parent if file and file.is_file() else Path.cwd()


def override(tree: Tree, options: Iterable[tuple[str, Any, str]]) -> Tree:
    """Return the tree with values set by dotted path, each with who set it."""
    values, origins = _copy(tree.values), dict(tree.origins)
    for path, value, by in options:
        _set(values, path, _copy(value), by)
        origins = {key: origin for key, origin in origins.items() if not key.startswith(f"{path}.")}
        origins[path] = Origin(place=by)
    return Tree(values=values, origins=origins, source=tree.source, folder=tree.folder)


def parse_override(text: str) -> tuple[str, Any, str]:
    """Split `section.key=value` into path, value and who set it.

    Raises:
        ConfigError: If there is no `=`, or no path before it.
    """
    path, equals, value = text.partition("=")
    path = path.strip()
    if not equals or not all(path.split(".")):
        what = f"-o takes section.key=value, got {text!r}"
        raise ConfigError(what, fix="write for example -o optimizer.params.lr=1e-3")
    return path, _text(path, value) if _is_text(path) else parse_literal(value), f"-o {path}"


def _is_text(path: str) -> bool:
    """Whether a path holds text, so that `007` is not a number there."""
    *parents, key = path.split(".")
    return key in _TEXT_KEYS and not _FREE & set(parents)


def _text(path: str, value: str) -> str | None:
    """Return a text without its quotes; `null` only where a text may be left out."""
    literal = parse_literal(value)
    if isinstance(literal, str) or (literal is None and path == "checkpoint.score"):
        return literal
    return value


def _load_toml(path: Path) -> Tree:
    text = _read(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        where = f"At {path}:{place[1]}, column {place[2]}" if place else f"In {path}"
        what = f"not valid TOML: {_PLACE.sub('', str(error))}"
        raise ConfigError(what, where=where) from error
    origins = {key: Origin(place=f"{path}:{line}") for key, line in key_lines(text).items()}
    origins[""] = Origin(place=str(path))
    return Tree(values=values, origins=origins, source=str(path), folder=path.resolve().parent)


def _read(path: Path) -> str:
    """Read a text; an editor's byte-order mark is no part of it, nor are its line ends."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{path} is not UTF-8 text: {error.reason} at byte {error.start}"
        raise ConfigError(what, fix="save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _load_python(path: Path) -> Tree:
    namespace = _run(path)
    get_config = namespace.get("get_config")
    if not callable(get_config):
        what = f"{path} defines no get_config()"
        raise ConfigError(what, fix="add a function get_config() that returns gatle.Config(...)")
    try:
        config = get_config()
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:
        raise _broken(path, error) from error
    code = getattr(get_config, "__code__", None)
    source = f"{path}:{code.co_firstlineno}" if code else str(path)
    if not isinstance(config, Recorder | Mapping):
        got = "None" if config is None else f"a value of type {type(config).__name__}"
        what = f"get_config() returned {got}, expected a gatle.Config or a dict"
        raise ConfigError(what, where=f"At {source}", fix="return gatle.Config(...)")
    return load_object(config, source=source, folder=path.resolve().parent)


def _run(path: Path) -> dict[str, Any]:
    enter(path.resolve().parent)
    try:
        return runpy.run_path(str(path), run_name=f"{MODULE_PREFIX}{path.stem}")
    except ConfigError:
        raise
    except (Exception, SystemExit) as error:
        raise _broken(path, error) from error


def _broken(path: Path, error: BaseException) -> ConfigError:
    place = user_line(error) or str(path)
    return ConfigError(f"the config raised {reason(error)}", where=f"At {place}")


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list | tuple) else value


def _set(values: dict[str, Any], path: str, value: Any, by: str) -> None:
    *parents, last = path.split(".")
    place: Any = values
    for part in parents:
        if isinstance(place, dict):
            place.setdefault(part, {})
        child = _child(place, part)
        if not isinstance(child, dict | list):
            what = f"{path!r} cannot be set: {part!r} is {shown(path, child)}, not a table"
            raise ConfigError(what, where=f"In {by}", fix="name a key of a table")
        place = child
    if isinstance(place, list):
        index = int(last) if last.isdecimal() else -1
        if not 0 <= index < len(place):
            what = f"{path!r} cannot be set: the list has {len(place)} items, numbered from 0"
            raise ConfigError(what, where=f"In {by}", fix="name one of them")
        place[index] = value
    else:
        place[last] = value


def _at(value: Any, path: str) -> Any:
    """Return the value at a dotted path; a key may itself contain dots."""
    if isinstance(value, Mapping) and path in value:
        return value[path]
    part, dot, rest = path.partition(".")
    child = _child(value, part)
    return _at(child, rest) if dot and child is not None else child


def _child(value: Any, part: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(part)
    if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
        return value[int(part)]
    return None
