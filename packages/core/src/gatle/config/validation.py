"""Checking the tree against the schema, with messages that name the place and the nearest key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from gatle.config import schema
from gatle.config.load import Tree
from gatle.config.problems import Problem
from gatle.plugins import PluginManager, did_you_mean

_EXPECTED = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "callable_type": "text",
}


def schema_problems(tree: Tree) -> tuple[schema.Config | None, list[Problem]]:
    """Return the typed config, or what keeps it from being one."""
    try:
        return schema.Config.model_validate(tree.values), []
    except ValidationError as error:
        return None, _unique(_problem(tree, item, schema.Config) for item in error.errors())


def plugin_section_problems(
    tree: Tree, manager: PluginManager
) -> tuple[dict[str, BaseModel], list[Problem]]:
    """Return the typed tables `[plugin.NAME]`, or what is wrong with them.

    Every registered section is present, with its defaults if the config does not name it.
    """
    registry = manager.registry("config_sections")
    written = tree.get("plugin")
    written = written if isinstance(written, Mapping) else {}
    known = {item.record.name: item for item in registry}
    problems = [
        Problem(
            origin=tree.origin(f"plugin.{name}"),
            path=f"plugin.{name}",
            text=f"no plugin has a section {name!r}{did_you_mean(name, known)}",
        )
        for name in written
        if name not in known
    ]
    sections: dict[str, BaseModel] = {}
    for name, item in known.items():
        model: type[BaseModel] = item.record.load()
        try:
            sections[name] = model.model_validate(written.get(name) or {})
        except ValidationError as error:
            problems += [_problem(tree, e, model, ("plugin", name)) for e in error.errors()]
    return sections, problems


def _problem(
    tree: Tree, error: Mapping[str, Any], root: type[BaseModel], prefix: tuple[str, ...] = ()
) -> Problem:
    loc = tuple(part for part in error["loc"] if part not in {"str", "callable"})
    path = ".".join(map(str, (*prefix, *loc)))
    if error["type"] == "extra_forbidden":
        text = _unknown_key(str(loc[-1]), loc[:-1], root)
    elif error["type"] == "missing":
        text = "is required" + (" (name a data set)" if path == "data.name" else "")
    else:
        text = f"expected {_expected(error)}, got {tree.get(path)!r}"
    return Problem(origin=tree.origin(path), path=path, text=text)


def _unknown_key(key: str, parents: tuple[Any, ...], root: type[BaseModel]) -> str:
    fields = _fields(root, parents)
    hint = did_you_mean(key, fields)
    if hint:
        return f"unknown key{hint}"
    places = [place for place in _places(root) if place.rpartition(".")[2] == key]
    if places:
        return f"unknown key here; it belongs to {' or '.join(places)}"
    if "params" in fields:
        return (
            f"unknown key; parameters of the component go to {'.'.join(map(str, parents))}.params"
        )
    return f"unknown key; valid keys are {', '.join(sorted(fields))}"


def _fields(root: type[BaseModel], parents: tuple[Any, ...]) -> list[str]:
    model = root
    for part in parents:
        if isinstance(part, int):
            model = schema.Metric
        else:
            model = model.model_fields[part].annotation  # type: ignore[assignment]
            model = schema.Metric if part == "metrics" else model
    return list(model.model_fields)


def _places(root: type[BaseModel]) -> list[str]:
    """Return the dotted path of every key of the schema."""
    found = list(root.model_fields)
    for name, info in root.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            found += [f"{name}.{key}" for key in info.annotation.model_fields]
    return found


def _expected(error: Mapping[str, Any]) -> str:
    context = error.get("ctx", {})
    if error["type"] == "literal_error":
        return f"one of {context['expected']}"
    if "ge" in context:
        return f"a number not below {context['ge']}"
    return _EXPECTED.get(error["type"], str(error["msg"]).lower())


def _unique(problems: Iterable[Problem]) -> list[Problem]:
    """A union reports one error per member; one is enough."""
    by_path: dict[str, Problem] = {}
    for problem in problems:
        by_path.setdefault(problem.path, problem)
    return list(by_path.values())
