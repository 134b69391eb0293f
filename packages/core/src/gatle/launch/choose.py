"""Choosing the launcher of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gatle.plugins import PluginManager
from gatle.records import LaunchRequest


def launch(request: LaunchRequest, *, launcher: str, manager: PluginManager) -> Any:
    """Run a request through the named launcher; `auto` asks the plugins which one.

    Raises:
        ConfigError: If no launcher has that name.
    """
    if launcher == "auto":
        launcher = manager.decide("gatle_choose_launcher", request)
    start: Callable[[LaunchRequest], Any] = (
        manager.registry("launchers").get(launcher).record.load()
    )
    return start(request)
