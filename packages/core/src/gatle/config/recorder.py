"""`gatle.Config` and its sections as users write them in Python: they record, and check nothing.

Checking needs the plugins, and the config says which plugins those are; so a section keeps what it
was given and the line it was given on, and `gatle.config.resolve` does the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from gatle.config import schema
from gatle.config.problems import Origin
from gatle.plugins import did_you_mean


class Recorder:
    """A section being written: values by name, each with the line that set it."""

    _section: type[schema.Section]

    def __init__(self, *unnamed: Any, **values: Any) -> None:
        if unnamed:
            name = next(iter(self._section.model_fields))
            message = f"{self._label()} takes its values by name, as {self._label()}({name}=...)"
            raise TypeError(message)
        self._start(values, _caller())

    def _start(self, values: dict[str, Any], origin: Origin | None) -> None:
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_origins", dict.fromkeys(values, origin))
        object.__setattr__(self, "_origin", origin)

    def __getattr__(self, name: str) -> Any:
        fields = self._section.model_fields
        if name.startswith("_") or name not in fields:
            message = f"{self._label()} has no field {name!r}{did_you_mean(name, fields)}"
            raise AttributeError(message)
        if name in self._values:
            return self._values[name]
        value = self._default(name)
        if isinstance(value, Recorder | dict | list):
            self._values[name] = value  # so that it can be written to
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self._values[name] = value
        self._origins[name] = _caller()

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self._values.items())
        return f"{self._label()}({inner})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self)["_values"] == vars(other)["_values"]

    __hash__ = None  # type: ignore[assignment]  # sections are mutable while they are written

    def _default(self, name: str) -> Any:
        """Return the default as something that can be written to: a recorder for a section."""
        field = self._section.model_fields[name]
        if isinstance(field.annotation, type) and issubclass(field.annotation, schema.Section):
            section = RECORDERS[field.annotation]
            recorder = section.__new__(section)
            recorder._start({}, None)
            return recorder
        if field.is_required():
            message = f"{self._label()} has no {name!r} yet; set it first"
            raise AttributeError(message)
        default = field.get_default(call_default_factory=True)
        if isinstance(default, tuple):
            return [item.name if isinstance(item, schema.Component) else item for item in default]
        return default

    @classmethod
    def _label(cls) -> str:
        return f"gatle.{cls.__name__}"


def record(value: Any) -> tuple[Any, dict[str, Origin]]:
    """Turn recorders, at any depth, into plain values and the origins of their dotted paths."""
    origins: dict[str, Origin] = {}
    return _plain(value, "", origins), origins


def _plain(value: Any, path: str, origins: dict[str, Origin]) -> Any:
    if isinstance(value, Recorder):
        if origin := vars(value)["_origin"]:
            origins[path] = origin
        for name, origin in vars(value)["_origins"].items():
            origins[_join(path, name)] = origin
        value = vars(value)["_values"]
    if isinstance(value, Mapping):
        return {key: _plain(item, _join(path, str(key)), origins) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, _join(path, str(i)), origins) for i, item in enumerate(value)]
    return value


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _caller() -> Origin:
    frame = sys._getframe(2)
    return Origin(place=f"{frame.f_code.co_filename}:{frame.f_lineno}")


def _recorder(section: type[schema.Section]) -> type[Recorder]:
    body = {"_section": section, "__doc__": section.__doc__, "__module__": "gatle"}
    return type(section.__name__, (Recorder,), body)


RECORDERS: dict[type[schema.Section], type[Recorder]] = {
    section: _recorder(section)
    for section in (
        schema.Config,
        schema.Data,
        schema.Model,
        schema.Loss,
        schema.Metric,
        schema.Callback,
        schema.Optimizer,
        schema.Schedule,
        schema.Loop,
        schema.Precision,
        schema.Checkpoint,
        schema.Launch,
        schema.Plugins,
    )
}
