"""TARGET: an existing config file, else a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gatle.config import Tree, load_file, load_object, override, parse_override
from gatle.config.load import CONFIG_SUFFIXES
from gatle.errors import ConfigError
from gatle.plugins import PluginManager, did_you_mean


def read_target(
    target: str, *, manager: PluginManager, options: tuple[tuple[str, Any, str], ...] = ()
) -> tuple[Tree, str]:
    """Return the config tree of a target with options applied, and which target was taken.

    Raises:
        ConfigError: If it is neither a config file nor a recipe.
    """
    path = Path(target)
    if path.exists() or path.suffix in CONFIG_SUFFIXES:
        return override(load_file(path), options), f"config {target}"
    recipes = manager.registry("recipes")
    if target not in recipes:
        what = f"there is no file and no recipe {target!r}{did_you_mean(target, recipes.names)}"
        fix = f"name a config file (.toml or .py), or a recipe: {', '.join(recipes.names)}"
        raise ConfigError(what, fix=fix)
    found = recipes.get(target)
    tree = load_object(found.record.load()(), source=f"recipe {target!r}", folder=Path.cwd())
    return override(tree, options), f"recipe {target!r} ({found.distribution})"


def parse_options(options: tuple[str, ...], **named: Any) -> tuple[tuple[str, Any, str], ...]:
    """Return `-o` options and named ones as overrides, the named ones last.

    Args:
        options: Texts `section.key=value`.
        named: Values by option name; the option `--epochs` sets `loop.max_epochs`, and so on.
    """
    places = {"epochs": "loop.max_epochs", "model": "model.name", "device": "launch.device"}
    return (
        *(parse_override(text) for text in options),
        *((places[n], value, f"--{n}") for n, value in named.items() if value is not None),
    )
