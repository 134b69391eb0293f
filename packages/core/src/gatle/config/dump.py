"""Writing a resolved config, without its secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import tomli_w

from gatle.config.resolve import Resolved

SECRET = "**********"
_SECRET_WORDS = {"token", "secret", "password", "passwd", "apikey", "credential", "credentials"}
_SECRET_ENDINGS = ("api_key", "api-key", "webhook_url", "webhook")


def to_tree(resolved: Resolved) -> dict[str, Any]:
    """Return the resolved config as plain nested values, secrets masked, unset values left out."""
    values = resolved.config.model_dump(mode="python")
    values["plugin"] = {
        name: section.model_dump(mode="json")
        for name, section in resolved.plugin_sections.items()
        if resolved.tree.get(f"plugin.{name}") is not None
    }
    return dict(_clean(values))


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


def is_secret(key: str) -> bool:
    """Whether a key names something that must not be printed or stored."""
    lowered = key.lower()
    words = set(re.split(r"[_\-.]", lowered))
    return bool(words & _SECRET_WORDS) or lowered.endswith(_SECRET_ENDINGS)


def _clean(value: Any, key: str = "") -> Any:
    if isinstance(value, Mapping):
        cleaned = {k: _clean(v, str(k)) for k, v in value.items() if v is not None}
        return {k: v for k, v in cleaned.items() if v != {}}
    if isinstance(value, list | tuple):
        return [_clean(item, key) for item in value if item is not None]
    return SECRET if isinstance(value, str) and is_secret(key) else value
