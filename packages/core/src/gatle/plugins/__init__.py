"""The plugin manager and the registries it hands out."""

from __future__ import annotations

import functools
from collections.abc import Mapping

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
    "discovered",
    "get_manager",
    "nearest",
]


@functools.cache
def get_manager() -> PluginManager:
    """Return the process's own manager, with every installed plugin loaded on the first call."""
    return discovered(disabled_plugins())


def discovered(disabled: Mapping[str, str]) -> PluginManager:
    """Return a manager with the installed plugins; with `GATLE_PLUGIN_AUTOLOAD=0`, our own two."""
    manager = PluginManager(disabled=disabled)
    manager.discover(only=None if plugin_autoload() else ESSENTIAL)
    return manager
