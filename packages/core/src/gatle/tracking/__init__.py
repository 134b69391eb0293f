"""Observers that write down what a run does."""

from __future__ import annotations

from gatle.tracking.console import Console, ending_line, progress_line
from gatle.tracking.record import RecordWriter, StatusWriter

__all__ = ["Console", "RecordWriter", "StatusWriter", "ending_line", "progress_line"]
