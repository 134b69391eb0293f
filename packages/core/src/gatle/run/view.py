"""A run as plugins see it: everything can be read, and nothing changed."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from gatle.run.run import Run


class RunView:
    """Reads a run, and refuses to write to it, so that an observer cannot change a result.

    Only `stateful` may be written to: what a plugin puts there goes into checkpoints.
    """

    __slots__ = ("_run",)

    def __init__(self, run: Run) -> None:
        object.__setattr__(self, "_run", run)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._run, name)
        return MappingProxyType(value) if type(value) is dict and name != "stateful" else value

    def __setattr__(self, name: str, value: Any) -> None:
        message = f"a plugin observes a run and cannot set run.{name}; a callback may"
        raise AttributeError(message)
