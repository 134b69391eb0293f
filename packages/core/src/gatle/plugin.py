"""The one module a plugin author imports.

A plugin is a module named by an entry point of the group `gatle`:

    [project.entry-points.gatle]
    hello = "gatle_hello.plugin"

It holds functions marked with `hookimpl`; see `gatle.hookspecs` for the list. A plugin may state
the API it was written for with `gatle_api = 1`.
"""

from __future__ import annotations

from gatle.hookspecs import API_VERSION, hookimpl
from gatle.records import (
    Callback,
    Check,
    CheckpointFormat,
    Command,
    CommandContext,
    ConfigSection,
    Dataset,
    Finding,
    Launcher,
    LaunchRequest,
    Loss,
    Metric,
    Model,
    Optimizer,
    Recipe,
    Record,
    Schedule,
    Task,
)

__all__ = [
    "API_VERSION",
    "Callback",
    "Check",
    "CheckpointFormat",
    "Command",
    "CommandContext",
    "ConfigSection",
    "Dataset",
    "Finding",
    "LaunchRequest",
    "Launcher",
    "Loss",
    "Metric",
    "Model",
    "Optimizer",
    "Recipe",
    "Record",
    "Schedule",
    "Task",
    "hookimpl",
]
