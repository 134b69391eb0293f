"""From the name of a component to the callable behind it, with its parameters checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gatle.config.load import MODULE_PREFIX
from gatle.config.user_code import attribute, import_from, lies_beside
from gatle.errors import ConfigError
from gatle.plugins import PluginManager, did_you_mean
from gatle.records import Record

FACTS = frozenset({"num_classes", "in_channels", "image_size"})
"""What a data set tells a model that asks for it by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How one kind of component is named and called.

    Attributes:
        registry: The provider hook that offers it, without `gatle_`.
        attribute: What is taken from a bare module.
        positional: How many arguments gatle passes before the parameters.
        offered: Parameters that gatle fills if the config leaves them out.
        configured: Whether the config has parameters for it.
    """

    registry: str
    attribute: str
    positional: int = 0
    offered: frozenset[str] = frozenset()
    configured: bool = True


KINDS: dict[str, Kind] = {
    "task": Kind(registry="tasks", attribute="Trainer", configured=False),
    "data": Kind(registry="datasets", attribute="get_ds"),
    "model": Kind(registry="models", attribute="Model", offered=FACTS),
    "loss": Kind(registry="losses", attribute="Loss", positional=2),
    "metrics": Kind(registry="metrics", attribute="get_metric", offered=FACTS),
    "optimizer": Kind(
        registry="optimizers",
        attribute="get_optimizer",
        positional=1,
        offered=frozenset({"model"}),
    ),
    "schedule": Kind(registry="schedules", attribute="get_scheduler", positional=1),
    "callbacks": Kind(registry="callbacks", attribute="Callback"),
    "checkpoint": Kind(registry="checkpoint_formats", attribute="Format"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A component that has been found.

    Attributes:
        path: The section of the config, as `loss` or `metrics.0`.
        name: The name as it is stored with the run.
        target: The callable.
        params: Its parameters from the config.
        record: The record, if it was registered by a plugin.
        plugin: The plugin that provides it; empty for the user's own code.
    """

    path: str
    name: str
    target: Callable[..., Any]
    params: Mapping[str, Any] = field(default_factory=dict)
    record: Record | None = None
    plugin: str = ""

    @property
    def short_name(self) -> str:
        """The last part of the name: `accuracy` of `acme/accuracy` or of `my.metrics:accuracy`."""
        return self.name.rsplit("/", 1)[-1].rsplit(":", 1)[-1].rsplit(".", 1)[-1]

    def offers(self, available: Mapping[str, Any]) -> dict[str, Any]:
        """Return the available facts that the target asks for by name and the config leaves out."""
        accepted = set(parameters(self.target)) & FACTS - set(self.params)
        return {name: available[name] for name in accepted if name in available}


def find(
    kind: Kind,
    name: str | Callable[..., Any],
    params: Mapping[str, Any],
    *,
    path: str,
    folder: Path,
    manager: PluginManager,
) -> Component:
    """Return the component of a name: registered, qualified, a dotted path, or the object itself.

    Raises:
        ConfigError: If there is no such component.
    """
    if not isinstance(name, str):
        return Component(path=path, name=name_of(name), target=name, params=params)
    registry = manager.registry(kind.registry)
    if name in registry or not _is_dotted(name, folder):
        found = registry.get(name)
        return Component(
            path=path,
            name=name,
            target=_load(found.record, found.plugin, manager),
            params=params,
            record=found.record,
            plugin=found.plugin,
        )
    module_name, _, attribute_name = name.partition(":")
    if module_name.endswith(".py"):
        dotted = ".".join(Path(module_name).with_suffix("").parts)
        what = f"{name!r} is a file, expected a dotted path"
        raise ConfigError(what, fix=f"write {dotted}:{attribute_name or kind.attribute}")
    target = attribute(import_from(folder, module_name), attribute_name or kind.attribute)
    if not callable(target):
        what = f"{name!r} is of type {type(target).__name__}, expected a function or a class"
        raise ConfigError(what, fix="name something that can be called")
    return Component(path=path, name=name, target=target, params=params)


def name_of(target: Callable[..., Any]) -> str:
    """Return the dotted path by which a function or class can be found again.

    Raises:
        ConfigError: If it has none, as a lambda or a nested function.
    """
    module = getattr(target, "__module__", None)
    qualified = getattr(target, "__qualname__", "<object>")
    if "<" in qualified or module is None:
        what = f"{qualified} cannot be found again by name, so a run could not be reloaded"
        raise ConfigError(what, fix="define it at the top level of a module")
    if module == "__main__":
        module = _main_module()
    return f"{module.removeprefix(MODULE_PREFIX)}:{qualified}"


def signature_problems(component: Component, kind: Kind) -> list[str]:
    """Return, in sentences, how the parameters do not fit the target's signature."""
    return [text for _, text in parameter_problems(component, kind)]


def parameter_problems(component: Component, kind: Kind) -> list[tuple[str, str]]:
    """Return the same, each with the name of the parameter."""
    if not kind.configured:
        return []
    accepted = parameters(component.target, skip=_skip(component.target, kind))
    listed = ", ".join(accepted) or "none"
    unknown = [
        (name, f"{component.name!r} takes no parameter {name!r}{did_you_mean(name, accepted)} ")
        for name in component.params
        if name not in accepted and "**" not in accepted
    ]
    missing = [
        (name, f"{component.name!r} needs the parameter {name!r}")
        for name, required in accepted.items()
        if required and name not in component.params and name not in kind.offered
    ]
    return [(name, f"{text}(it takes {listed})") for name, text in unknown] + missing


def parameters(target: Callable[..., Any], *, skip: int = 0) -> dict[str, bool]:
    """Return the keyword parameters of a callable and whether each is required.

    A `**kwargs` parameter appears as `"**"`. A callable without a readable signature accepts all.
    """
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return {"**": False}
    found: dict[str, bool] = {}
    for index, parameter in enumerate(signature.parameters.values()):
        if parameter.kind is parameter.VAR_KEYWORD:
            found["**"] = False
        elif parameter.kind is not parameter.VAR_POSITIONAL and index >= skip:
            found[parameter.name] = parameter.default is parameter.empty
    return found


def defaults(target: Callable[..., Any]) -> dict[str, Any]:
    """Return the defaults of a callable's parameters, `inspect.Parameter.empty` for required ones.

    Empty for a callable without a readable signature.
    """
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return {}
    return {name: parameter.default for name, parameter in signature.parameters.items()}


def _skip(target: Callable[..., Any], kind: Kind) -> int:
    """Losses written as classes take their arguments when called, not when built."""
    return 0 if kind.registry == "losses" and inspect.isclass(target) else kind.positional


def _load(record: Record, plugin: str, manager: PluginManager) -> Callable[..., Any]:
    try:
        target: Callable[..., Any] = record.load()
    except (Exception, SystemExit) as error:
        what = f"{record.name!r} could not be loaded: {type(error).__name__}: {error}"
        raise ConfigError(what, where=f"Offered by {manager.describe(plugin)}") from error
    return target


def _is_dotted(name: str, folder: Path) -> bool:
    if "/" in name:
        return ".py" in name
    return ":" in name or "." in name or lies_beside(folder, name)


def _main_module() -> str:
    """Return the name under which the program that runs can be imported again."""
    import __main__

    spec = getattr(__main__, "__spec__", None)
    if spec is not None:
        return str(spec.name).removesuffix(".__main__")
    file = getattr(__main__, "__file__", None)
    return Path(file).stem if file else "__main__"
