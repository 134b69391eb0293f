"""Starting the processes of a run."""

from __future__ import annotations

from gatle.launch.choose import launch
from gatle.records import LaunchRequest

__all__ = ["LaunchRequest", "launch"]
