"""The launcher that starts nothing: the work is done in this process."""

from __future__ import annotations

from typing import Any

from gatle.errors import ConfigError
from gatle.records import LaunchRequest


def in_process(request: LaunchRequest) -> Any:
    """Do the work of a request here.

    Raises:
        ConfigError: If the request wants more than one process.
    """
    if (request.processes_per_node or 1) > 1 or request.nodes > 1:
        what = "the launcher 'in-process' runs one process on one node"
        raise ConfigError(what, fix="leave launch.launcher at 'auto', or name another launcher")
    return request.function()
