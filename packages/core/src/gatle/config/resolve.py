"""From what the user wrote to a config that is known to be right, or every reason why it is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from gatle.config import schema
from gatle.config.components import KINDS, Component, find, parameter_problems
from gatle.config.consistency import consistency_problems
from gatle.config.load import Tree
from gatle.config.problems import DEFAULT, ConfigProblems, Origin, Problem
from gatle.config.user_code import enter
from gatle.config.validation import plugin_section_problems, schema_problems
from gatle.errors import ConfigError
from gatle.plugins import PluginManager

_NAMED = {"task": "task", "checkpoint": "checkpoint.format"}
"""Where the name of a component is written, if not in `name`."""

_LISTS = {"metrics": schema.Metric, "callbacks": schema.Callback}
"""The sections that are lists of components."""


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

    @property
    def callbacks(self) -> list[Component]:
        """The callback components, in the order of the config."""
        return [self.components[f"callbacks.{i}"] for i in range(len(self.config.callbacks))]


def resolve(tree: Tree, *, manager: PluginManager) -> Resolved:
    """Check a config from end to end, before anything is built.

    Raises:
        ConfigProblems: Listing everything that is wrong, each with its place.
    """
    load_plugins(tree, manager)
    config, problems = schema_problems(tree)
    sections, more = plugin_section_problems(tree, manager)
    broken = {problem.path for problem in problems}
    components, rest = _components(tree, manager, broken=broken)
    problems += more + rest
    if config is not None:
        problems += consistency_problems(tree, config, components, manager)
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
    if section.load:
        enter(tree.folder)
    for name in section.load:
        manager.load_module(name, by=str(tree.origin("plugins.load")))


def _components(
    tree: Tree, manager: PluginManager, *, broken: Set[str]
) -> tuple[dict[str, Component], list[Problem]]:
    found: dict[str, Component] = {}
    problems: list[Problem] = []
    for path, kind_name, name, params in _named(tree, broken):
        kind = KINDS[kind_name]
        try:
            component = find(kind, name, params, path=path, folder=tree.folder, manager=manager)
        except ConfigError as error:
            problems.append(_problem(tree, path, "name", str(error)))
            continue
        found[path] = component
        problems += [
            _problem(tree, path, f"params.{key}", text)
            for key, text in parameter_problems(component, kind)
            if f"{path}.params" not in broken
        ]
    return found, problems


def _named(tree: Tree, broken: Set[str]) -> Iterator[tuple[str, str, Any, dict[str, Any]]]:
    """Yield path, kind, name and parameters of every component whose name can be looked up."""
    fields = schema.Config.model_fields
    if "task" not in broken:
        yield "task", "task", tree.get("task") or fields["task"].default, {}
    for section in ("data", "model", "loss", "optimizer", "schedule"):
        if not broken & {section, f"{section}.name"}:
            default = fields[section].annotation.model_fields["name"].default  # type: ignore[union-attr]
            yield section, section, *_name_and_params(tree.get(section) or {}, default)
    if not broken & {"checkpoint", "checkpoint.format"}:
        written = tree.get("checkpoint") or {}
        yield "checkpoint", "checkpoint", written.get("format") or schema.Checkpoint().format, {}
    for section in _LISTS:
        written = tree.get(section)
        items = fields[section].default if written is None else written
        for index, item in enumerate([] if section in broken else items):
            path = f"{section}.{index}"
            if not broken & {path, f"{path}.name"}:
                yield path, section, *_name_and_params(_table(item), None)


def _table(item: Any) -> Mapping[str, Any]:
    value = schema.as_component(item)
    return value.model_dump() if isinstance(value, BaseModel) else value


def _name_and_params(section: Mapping[str, Any], default: Any) -> tuple[Any, dict[str, Any]]:
    params = section.get("params")
    return section.get("name") or default, params if isinstance(params, dict) else {}


def _problem(tree: Tree, path: str, key: str, text: str) -> Problem:
    full = f"{path}.{key}"
    if key == "name":
        full = _NAMED.get(path, full if isinstance(tree.get(path), Mapping | None) else path)
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
    for section, made in _LISTS.items():
        items = [components[f"{section}.{i}"] for i in range(len(getattr(config, section)))]
        update[section] = tuple(made(name=i.name, params=dict(i.params)) for i in items)
    return config.model_copy(update=update)
