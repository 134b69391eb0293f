"""Finding parameters by name: whole path components, or globs."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from gatle.errors import ConfigError
from gatle.plugins import nearest


def matches(name: str, pattern: str) -> bool:
    """Whether a pattern stands for a parameter: its name, or the path of a module that holds it.

    `head` matches `head.weight` and not `header.weight`; `*.bias` and `blocks.[01]` are globs, in
    which `*` also stands for dots.
    """
    return any(fnmatchcase(path, pattern) for path in _paths(name))


def named(
    patterns: Iterable[str], names: Iterable[str], *, key: str, kind: str = "parameter"
) -> dict[str, list[str]]:
    """Return for each pattern the names it stands for.

    Args:
        patterns: Names, paths of modules, or globs of either.
        names: The full names of parameters.
        key: The key of the config that holds the patterns, for messages.
        kind: What to call a parameter in messages.

    Raises:
        ConfigError: If a pattern stands for none.
    """
    names = list(names)
    found = {pattern: [n for n in names if matches(n, pattern)] for pattern in patterns}
    for pattern, matched in found.items():
        if not matched:
            valid = {path for name in names for path in _paths(name)}
            what = f"{pattern!r} matches no {kind}{_hint(pattern, valid)}"
            fix = "write the path of a module or a parameter, or a glob such as '*.bias'"
            raise ConfigError(f"{what} ({top_level(names)})", where=f"In {key}", fix=fix)
    return found


def top_level(names: Iterable[str]) -> str:
    """Return what a model consists of, in words, from the names of its parameters."""
    parts = dict.fromkeys(name.partition(".")[0] for name in names)
    return f"the model has {', '.join(parts) or 'none'}"


def _paths(name: str) -> list[str]:
    """Return a name and the path of every module above it."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _hint(pattern: str, valid: Iterable[str]) -> str:
    best = nearest(pattern.strip("*."), valid)
    return f"; did you mean {best!r}?" if best else ""
