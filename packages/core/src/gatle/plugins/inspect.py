"""Checks of a plugin module before it is registered, so that a typo has a name."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gatle.hookspecs import API_VERSION
from gatle.plugins.suggest import did_you_mean


def defects(module: ModuleType, hooks: frozenset[str]) -> list[str]:
    """Return what is wrong with a plugin module, in sentences; empty if nothing is."""
    found = _wrong_api(getattr(module, "gatle_api", API_VERSION))
    for name, value in vars(module).items():
        options = getattr(value, "gatle_impl", None)
        named = name.startswith("gatle_") and name != "gatle_api" and callable(value)
        if isinstance(options, dict):
            found += _wrong_hook(options.get("specname") or name, options, hooks)
        elif named and name in hooks:
            found.append(f"{name!r} is not marked with @hookimpl, so it would never be called")
    return found


def _wrong_api(wanted: object) -> list[str]:
    if wanted == API_VERSION:
        return []
    if not isinstance(wanted, int):
        return [f"gatle_api must be a whole number, got {wanted!r}"]
    side = "gatle-core" if wanted > API_VERSION else "the plugin"
    return [f"written for plugin API {wanted}, this gatle has API {API_VERSION}: upgrade {side}"]


def _wrong_hook(name: str, options: dict[str, Any], hooks: frozenset[str]) -> list[str]:
    if name not in hooks and not options.get("optionalhook"):
        return [f"unknown hook {name!r}{did_you_mean(name, hooks)}"]
    if options.get("wrapper") or options.get("hookwrapper"):
        return [f"hook {name!r} is a wrapper; gatle has no hook wrappers"]
    return []
