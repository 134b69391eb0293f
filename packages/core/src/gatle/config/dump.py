"""Writing a resolved config, without its secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tomli_w

from gatle.config.resolve import Resolved
from gatle.config.secrets import SECRET, is_secret, masked

__all__ = ["SECRET", "is_secret", "leaves", "origins", "to_toml", "to_tree"]


def to_tree(resolved: Resolved) -> dict[str, Any]:
    """Return the resolved config as plain nested values, secrets masked, unset values left out."""
    values = resolved.config.model_dump(mode="python")
    values["plugin"] = {
        name: section.model_dump(mode="json")
        for name, section in resolved.plugin_sections.items()
        if resolved.tree.get(f"plugin.{name}") is not None
    }
    project = _without_null(masked(values.pop("project")))
    tree = {key: _set_values(value) for key, value in masked(values).items()} | {"project": project}
    return {key: value for key, value in tree.items() if value != {}}


def to_toml(resolved: Resolved) -> str:
    """Return the resolved config as TOML that `gatle train` reads back to the same config."""
    return tomli_w.dumps(to_tree(resolved))


def origins(resolved: Resolved) -> dict[str, str]:
    """Return the place of every value by dotted path."""
    return {path: str(resolved.origin(path)) for path, _ in leaves(to_tree(resolved))}


def leaves(tree: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    """Return every value of a nested mapping with its dotted path."""
    found: list[tuple[str, Any]] = []
    for key, value in tree.items():
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, Mapping) and value:
            found += leaves(value, path)
        elif value != {}:
            found.append((path, value))
    return found


def _set_values(section: Any) -> Any:
    """Leave out what a section does not set; an empty table inside parameters is a value."""
    if isinstance(section, list):
        return [_set_values(item) for item in section]
    if not isinstance(section, Mapping):
        return section
    kept = {key: _without_null(value) for key, value in section.items() if value is not None}
    return {key: value for key, value in kept.items() if value != {}}


def _without_null(value: Any) -> Any:
    """TOML has no null."""
    if isinstance(value, Mapping):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_null(item) for item in value if item is not None]
    return value
