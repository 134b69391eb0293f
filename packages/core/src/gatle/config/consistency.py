"""What is right by itself and wrong together, and what could not be stored with the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any

from gatle.config import schema
from gatle.config.components import Component, defaults
from gatle.config.load import Tree
from gatle.config.problems import Problem
from gatle.errors import ConfigError
from gatle.plugins import PluginManager, nearest

_PLAIN = (str, int, float, bool, date, time)
_NO_NULL = "null cannot be stored with the run, because TOML has none; leave it out"
_PLAIN_WORDS = "text, numbers, true or false, lists and tables"


def consistency_problems(
    tree: Tree,
    config: schema.Config,
    components: Mapping[str, Component],
    manager: PluginManager,
) -> list[Problem]:
    """Return what is wrong with a config of which each value is valid."""
    found = [*_warmups(config), *_launcher(config, manager), *_score(config, components)]
    found += _layer_decay(config.optimizer)
    for component in components.values():
        found += _nulls(component)
        found += _unstorable(f"{component.path}.params", component.params)
    found += _unstorable("project", config.project)
    return [Problem(origin=tree.origin(path), path=path, text=text) for path, text in found]


def _warmups(config: schema.Config) -> Iterator[tuple[str, str]]:
    schedule = config.schedule
    if schedule.warmup_epochs is not None and schedule.warmup_steps is not None:
        text = (
            f"warmup_epochs = {schedule.warmup_epochs:g} and warmup_steps = "
            f"{schedule.warmup_steps} exclude each other; keep one of them"
        )
        yield "schedule", text


def _layer_decay(optimizer: schema.Optimizer) -> Iterator[tuple[str, str]]:
    if optimizer.layer_decay is not None and not optimizer.layer_decay_blocks:
        text = "needs layer_decay_blocks, the path of the module with the blocks, as 'features'"
        yield "optimizer.layer_decay", text
    if optimizer.layer_decay is None and optimizer.layer_decay_blocks is not None:
        yield "optimizer.layer_decay_blocks", "does nothing without layer_decay; set both"


def _launcher(config: schema.Config, manager: PluginManager) -> Iterator[tuple[str, str]]:
    name = config.launch.launcher
    if name == "auto":
        return
    try:
        manager.registry("launchers").get(name)
    except ConfigError as error:
        yield "launch.launcher", str(error).rstrip(".")


def _score(config: schema.Config, components: Mapping[str, Component]) -> Iterator[tuple[str, str]]:
    score = config.checkpoint.score
    paths = [f"metrics.{index}" for index in range(len(config.metrics))]
    if score is None or not set(paths) <= set(components):
        return
    names = [_score_name(components[path]) for path in paths]
    valid = ["valid/loss", *(f"valid/{name}" for name in names if name)]
    if score not in valid and all(names):
        near = nearest(
            score.removeprefix("valid/"), [name.removeprefix("valid/") for name in valid]
        )
        hint = f"; did you mean 'valid/{near}'?" if near else ""
        yield (
            "checkpoint.score",
            f"no evaluation gives {score!r}{hint} (it gives {', '.join(valid)})",
        )


def _score_name(component: Component) -> str | None:
    """Return the name of a metric's number, None if only the metric itself can tell."""
    is_plain = component.record is not None and not component.params
    given = component.short_name.replace("-", "_") if is_plain else None
    name = getattr(component.target, "score_name", given)
    return name if isinstance(name, str) else None


def _nulls(component: Component) -> Iterator[tuple[str, str]]:
    """A null that is not the default would be another value when the run is read back."""
    known = defaults(component.target)
    for name, value in component.params.items():
        if value is None and known.get(name, ...) is not None:
            yield f"{component.path}.params.{name}", _NO_NULL


def _unstorable(path: str, value: Any, *, listed: bool = False) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _unstorable(f"{path}.{key}", item)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _unstorable(f"{path}.{index}", item, listed=True)
    elif value is None and listed:
        yield path, _NO_NULL
    elif value is not None and not isinstance(value, _PLAIN):
        kind = type(value).__name__
        text = f"a value of type {kind} cannot be stored with the run; expected {_PLAIN_WORDS}"
        yield path, text
