"""The plugin manager and the registries it hands out."""

from __future__ import annotations

from collections.abc import Collection

from gatle.environment import disabled_plugins, plugin_autoload
from gatle.plugins.failures import Failure
from gatle.plugins.manager import ESSENTIAL, PluginInfo, PluginManager
from gatle.plugins.registry import Provided, Registry
from gatle.plugins.suggest import did_you_mean, nearest

__all__ = [
    "Failure",
    "PluginInfo",
    "PluginManager",
    "Provided",
    "Registry",
    "did_you_mean",
    "discover",
    "nearest",
]


def discover(*, disabled: Collection[str] = ()) -> PluginManager:
    """Return a manager with the installed plugins loaded.

    A manager is made for each command or call, so that what one config disables stays enabled for
    the next; the modules themselves are imported once per process.

    Args:
        disabled: Names from the command line, besides those in `$GATLE_DISABLE_PLUGINS`.
    """
    manager = PluginManager(disabled=disabled_plugins() | dict.fromkeys(disabled, "-p"))
    manager.discover(only=None if plugin_autoload() else ESSENTIAL)
    return manager
