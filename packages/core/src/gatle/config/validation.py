"""Checking the tree against the schema, with messages that name the place and the nearest key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from gatle.config import schema
from gatle.config.load import Tree
from gatle.config.problems import Problem
from gatle.config.secrets import shown
from gatle.config.user_code import reason
from gatle.plugins import PluginManager, Provided, did_you_mean, nearest

_EXPECTED = {
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "list_type": "a list",
    "tuple_type": "a list",
    "is_instance_of": "a list",
    "sequence_str": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "callable_type": "text",
}
_BOUNDS = {
    "ge": "a number not below",
    "gt": "a number above",
    "le": "a number not above",
    "lt": "a number below",
}
_UNION_TAGS = {"str", "callable"}
_EXAMPLES = {"data": "digits", "model": "small-cnn"}
_FEW = 3


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

    A registered section that the config does not name is present with its defaults, or absent if
    it has none: a plugin that is merely installed cannot make a config wrong.
    """
    written = tree.get("plugin")
    written = written if isinstance(written, Mapping) else {}
    known = {item.record.name: item for item in manager.registry("config_sections")}
    problems = [
        Problem(
            origin=tree.origin(f"plugin.{name}"),
            path=f"plugin.{name}",
            text=_no_section(name, list(known)),
        )
        for name in written
        if name not in known
    ]
    sections: dict[str, BaseModel] = {}
    for name, item in known.items():
        section, wrong = _section(tree, item, written.get(name))
        if section is not None:
            sections[name] = section
        elif name in written:
            problems += wrong
    return sections, problems


def _section(tree: Tree, item: Provided, written: Any) -> tuple[BaseModel | None, list[Problem]]:
    """Validate as JSON, where a strict model takes a list for a tuple: a config has no tuples."""
    path = f"plugin.{item.record.name}"
    try:
        model: type[BaseModel] = item.record.load()
        section = model.model_validate_json(json.dumps(written or {}, default=str))
    except ValidationError as error:
        found = (_problem(tree, e, model, tuple(path.split("."))) for e in error.errors())
        return None, _unique(found)
    except Exception as error:  # noqa: BLE001  a plugin's code may raise anything
        text = f"the section of plugin {item.plugin!r} ({item.distribution}) failed: "
        return None, [Problem(origin=tree.origin(path), path=path, text=text + reason(error))]
    return section, []


def _no_section(name: str, known: list[str]) -> str:
    listed = f"; plugins have {', '.join(known)}" if known else "; no plugin here has one"
    return f"no plugin has a section {name!r}{did_you_mean(name, known) or listed}"


def _problem(
    tree: Tree, error: Mapping[str, Any], root: type[BaseModel], prefix: tuple[str, ...] = ()
) -> Problem:
    loc = tuple(part for part in error["loc"] if part not in _UNION_TAGS)
    path = ".".join(map(str, (*prefix, *loc)))
    if error["type"] == "extra_forbidden":
        text = _unknown_key(str(loc[-1]), loc[:-1], root, prefix)
    elif error["type"] == "missing":
        text = _missing(path)
    else:
        value = tree.get(path)
        text = f"expected {_expected(error)}, got {shown(path, value)}{_hint(error, path, value)}"
    return Problem(origin=tree.origin(path), path=path, text=text)


def _missing(path: str) -> str:
    section = path.removesuffix(".name")
    if section not in _EXAMPLES:
        return "is required"
    return f"is required; write {section}.name = {_EXAMPLES[section]!r} or another name"


def _hint(error: Mapping[str, Any], path: str, value: Any) -> str:
    """Return what the user may have meant by a value of the wrong form."""
    if error["type"] == "literal_error":
        valid = re.findall(r"'([^']*)'", str(error["ctx"]["expected"]))
        return did_you_mean(value, valid) if isinstance(value, str) else ""
    if error["type"] == "model_type" and isinstance(value, str):
        return f"; write {path}.name = {shown(path, value)}" if path in _components() else ""
    if error["type"] == "sequence_str" and not str(value).startswith("["):
        return f"; write [{shown(path, value)}]"
    if error["type"] == "sequence_str":
        return "; quote the texts in it, as ['a', 'b']"
    return ""


def _components() -> set[str]:
    fields = schema.Config.model_fields.items()
    return {n for n, f in fields if "params" in getattr(f.annotation, "model_fields", ())}


def _unknown_key(
    key: str, parents: tuple[Any, ...], root: type[BaseModel], prefix: tuple[str, ...]
) -> str:
    fields = _fields(root, parents)
    places = _places(root)
    exact = [place for place in places if place.rpartition(".")[2] == key]
    if exact and len(exact) <= _FEW:
        return f"unknown key here; it belongs to {' or '.join(exact)}"
    if hint := did_you_mean(key, fields):
        return f"unknown key{hint}"
    if "params" in fields:
        owner = ".".join(map(str, (*prefix, *parents)))
        return f"unknown key; a parameter of the component is written {owner}.params.{key}"
    leaves = {} if exact else {place.rpartition(".")[2]: place for place in places}
    if near := nearest(key, leaves):
        return f"unknown key; did you mean {leaves[near]}?"
    return f"unknown key; valid keys are {', '.join(sorted(fields))}"


def _fields(root: type[BaseModel], parents: tuple[Any, ...]) -> list[str]:
    model: type[BaseModel] | None = root
    for part in parents:
        if model is not None and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation)
    return list(model.model_fields) if model else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model in an annotation: itself, or the item of a list, or a union's member."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


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
    bound = next((name for name in _BOUNDS if name in context), None)
    if bound is not None:
        limit = context[bound]
        whole = isinstance(limit, float) and limit.is_integer()
        return f"{_BOUNDS[bound]} {int(limit) if whole else limit}"
    message = str(context.get("error") or error["msg"])
    message = message[:1].lower() + message[1:]
    return _EXPECTED.get(error["type"], message.removeprefix("input should be "))


def _unique(problems: Iterable[Problem]) -> list[Problem]:
    """A union reports one error per member; one is enough."""
    by_path: dict[str, Problem] = {}
    for problem in problems:
        by_path.setdefault(problem.path, problem)
    return list(by_path.values())
