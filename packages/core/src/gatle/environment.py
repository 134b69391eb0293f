"""Every environment variable that gatle reads."""

from __future__ import annotations

import os
from pathlib import Path

_OFF = {"", "0", "false", "off", "no"}


def runs_root() -> Path:
    """Return where runs are kept: `$GATLE_RUNS`, else `./runs`."""
    return Path(os.environ.get("GATLE_RUNS") or "runs")


def disabled_plugins() -> dict[str, str]:
    """Return the plugins named in `$GATLE_DISABLE_PLUGINS`, each with who disabled it."""
    names = os.environ.get("GATLE_DISABLE_PLUGINS", "").split(",")
    return {name.strip(): "GATLE_DISABLE_PLUGINS" for name in names if name.strip()}


def plugin_autoload() -> bool:
    """Whether installed plugins are loaded; `GATLE_PLUGIN_AUTOLOAD=0` leaves only our own two."""
    return os.environ.get("GATLE_PLUGIN_AUTOLOAD", "1").lower() not in _OFF


def strict_plugins() -> bool:
    """Whether a plugin that fails is an error, as `GATLE_STRICT_PLUGINS=1` asks."""
    return os.environ.get("GATLE_STRICT_PLUGINS", "").lower() not in _OFF


def tune_process() -> bool:
    """Whether `gatle train` may set the collector and the allocator, unless `GATLE_TUNE=off`."""
    return os.environ.get("GATLE_TUNE", "on").lower() not in _OFF
