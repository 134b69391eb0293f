"""From what the user wrote to a config that is known to be right, or every reason why it is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from gatle.config import schema
from gatle.config.components import KINDS, Component, find, signature_problems
from gatle.config.load import Tree
from gatle.config.problems import DEFAULT, ConfigProblems, Origin, Problem
from gatle.config.validation import plugin_section_problems, schema_problems
from gatle.errors import ConfigError
from gatle.plugins import PluginManager


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A checked config, with everything that its names stand for.

    Attributes:
        config: The typed config.
        components: What each named section stands for, by path (`model`, `metrics.0`).
        plugin_sections: The typed tables of plugins, by plugin section name.
        tree: What was written, and where.
    """

    config: schema.Config
    components: Mapping[str, Component]
    plugin_sections: Mapping[str, BaseModel]
    tree: Tree

    def origin(self, path: str) -> Origin:
        """Return where a value came from, `default` if nobody set it."""
        return self.tree.origin(path) if self.tree.get(path) is not None else DEFAULT

    @property
    def source(self) -> str:
        """What to call this config in messages."""
        return self.tree.source

    @property
    def folder(self) -> Path:
        """The folder that dotted paths are resolved against."""
        return self.tree.folder

    @property
    def metrics(self) -> list[Component]:
        """The metric components, in the order of the config."""
        return [self.components[f"metrics.{i}"] for i in range(len(self.config.metrics))]


def resolve(tree: Tree, *, manager: PluginManager) -> Resolved:
    """Check a config from end to end, before anything is built.

    Raises:
        ConfigProblems: Listing everything that is wrong, each with its place.
    """
    load_plugins(tree, manager)
    config, problems = schema_problems(tree)
    sections, more = plugin_section_problems(tree, manager)
    components, rest = _components(tree, manager, broken={p.path.split(".")[0] for p in problems})
    problems += more + rest
    if problems or config is None:
        raise ConfigProblems(problems, source=tree.source)
    return Resolved(
        config=_with_names(config, components),
        components=components,
        plugin_sections=sections,
        tree=tree,
    )


def load_plugins(tree: Tree, manager: PluginManager) -> None:
    """Load and disable the plugins that `[plugins]` names, before anything else is read.

    Raises:
        ConfigProblems: If `[plugins]` itself is not right.
    """
    try:
        section = schema.Plugins.model_validate(tree.get("plugins") or {})
    except ValidationError:
        _, problems = schema_problems(tree)
        raise ConfigProblems(problems, source=tree.source) from None
    for name in section.disable:
        manager.disable(name, by=str(tree.origin("plugins.disable")))
    for name in section.load:
        manager.load_module(name, by=str(tree.origin("plugins.load")))


def _components(
    tree: Tree, manager: PluginManager, *, broken: set[str]
) -> tuple[dict[str, Component], list[Problem]]:
    found: dict[str, Component] = {}
    problems: list[Problem] = []
    for path, kind_name, name, params in _named(tree, skip=broken):
        kind = KINDS[kind_name]
        try:
            component = find(kind, name, params, path=path, folder=tree.folder, manager=manager)
        except ConfigError as error:
            problems.append(_problem(tree, path, "name", str(error)))
            continue
        found[path] = component
        problems += [
            _problem(tree, path, "params", text) for text in signature_problems(component, kind)
        ]
    return found, problems


def _named(tree: Tree, *, skip: set[str]) -> list[tuple[str, str, Any, dict[str, Any]]]:
    """Return path, kind, name and parameters of every component the config names or implies."""
    fields = schema.Config.model_fields
    rows: list[tuple[str, str, Any, dict[str, Any]]] = []
    if "task" not in skip:
        rows.append(("task", "task", tree.get("task") or fields["task"].default, {}))
    for section in ("data", "model", "loss", "optimizer", "schedule"):
        if section not in skip:
            value = fields[section].annotation.model_validate(tree.get(section) or {})  # type: ignore[union-attr]
            rows.append((section, section, value.name, value.params))
    if "metrics" not in skip:
        written = tree.get("metrics")
        metrics = fields["metrics"].default if written is None else written
        for index, item in enumerate(metrics):
            metric = schema.Metric.model_validate(schema.as_metric(item))
            rows.append((f"metrics.{index}", "metrics", metric.name, metric.params))
    if "checkpoint" not in skip:
        value = schema.Checkpoint.model_validate(tree.get("checkpoint") or {})
        rows.append(("checkpoint", "checkpoint", value.format, {}))
    return rows


def _problem(tree: Tree, path: str, key: str, text: str) -> Problem:
    full = path if path == "task" else f"{path}.{key}"
    return Problem(origin=tree.origin(full), path=full, text=text.rstrip("."))


def _with_names(config: schema.Config, components: Mapping[str, Component]) -> schema.Config:
    """Replace objects that were given themselves by the names they can be found under."""
    update: dict[str, Any] = {"task": components["task"].name}
    for section in ("data", "model", "loss", "optimizer", "schedule"):
        name = components[section].name
        update[section] = getattr(config, section).model_copy(update={"name": name})
    update["checkpoint"] = config.checkpoint.model_copy(
        update={"format": components["checkpoint"].name}
    )
    metrics = [components[f"metrics.{i}"] for i in range(len(config.metrics))]
    update["metrics"] = tuple(schema.Metric(name=m.name, params=dict(m.params)) for m in metrics)
    return config.model_copy(update=update)
