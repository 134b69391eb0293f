"""SIGTERM as an exception, so that a run ends with its record closed and its status written."""

from __future__ import annotations

import signal
from types import FrameType


class Terminated(BaseException):
    """The process was asked to end."""


def raise_on_sigterm() -> None:
    """Let SIGTERM raise `Terminated` in the main thread; a second one ends the process at once."""
    signal.signal(signal.SIGTERM, _raise)


def _raise(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated
