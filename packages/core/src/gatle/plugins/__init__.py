"""The plugin manager and the registries it hands out."""

from __future__ import annotations

import functools
import os

from gatle.plugins.failures import Failure
from gatle.plugins.manager import PluginInfo, PluginManager
from gatle.plugins.registry import Provided, Registry
from gatle.plugins.suggest import did_you_mean, nearest

__all__ = [
    "Failure",
    "PluginInfo",
    "PluginManager",
    "Provided",
    "Registry",
    "did_you_mean",
    "disabled_by_environment",
    "get_manager",
    "nearest",
]


@functools.cache
def get_manager() -> PluginManager:
    """Return the process's own manager, with every installed plugin loaded on the first call."""
    manager = PluginManager(disabled=disabled_by_environment())
    if os.environ.get("GATLE_PLUGIN_AUTOLOAD", "1") != "0":
        manager.discover()
    return manager


def disabled_by_environment() -> dict[str, str]:
    """Return the plugins named in `GATLE_DISABLE_PLUGINS`, each with who disabled it."""
    names = os.environ.get("GATLE_DISABLE_PLUGINS", "").split(",")
    return {name.strip(): "GATLE_DISABLE_PLUGINS" for name in names if name.strip()}
