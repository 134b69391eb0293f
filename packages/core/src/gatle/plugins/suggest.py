"""The nearest valid name, for messages about a wrong one."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, valid: Iterable[str]) -> str | None:
    """Return the valid name most like `name`, or `None` if none is alike."""
    import difflib  # only a wrong name needs it; start-up does not

    normal = {_normal(candidate): candidate for candidate in sorted(valid)}
    found = difflib.get_close_matches(_normal(name), normal, n=1, cutoff=0.6)
    return normal[found[0]] if found else None


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return `"; did you mean 'x'?"`, or an empty string if nothing is alike."""
    best = nearest(name, valid)
    return f"; did you mean {best!r}?" if best else ""


def _normal(name: str) -> str:
    return name.lower().replace("_", "-")
