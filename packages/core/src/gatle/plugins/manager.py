"""The plugin manager: discovery, blocking, isolation, provenance and timing."""

from __future__ import annotations

import functools
import importlib
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from types import ModuleType
from typing import Any, Literal

import pluggy

from gatle import hookspecs
from gatle.environment import strict_plugins
from gatle.errors import ConfigError, PluginError
from gatle.plugins.discovery import FIRST_PARTY, Candidate, candidates
from gatle.plugins.failures import Failure, FailureLog
from gatle.plugins.inspect import defects
from gatle.plugins.registry import Provided, Registry
from gatle.plugins.suggest import did_you_mean

ESSENTIAL = frozenset({"core", "cli"})
BUILTINS = "gatle.builtins"


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginInfo:
    """What is known of one plugin: never silent, always in one of three states."""

    name: str
    distribution: str
    version: str
    state: Literal["active", "disabled", "failed"] = "active"
    disabled_by: str = ""
    import_ms: float = 0.0
    hooks: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Distribution and version, for messages."""
        return f"{self.distribution} {self.version}".removesuffix(" -")


class PluginManager:
    """Loads plugins, keeps their failures as values, and hands out registries of records.

    One plugin can never end the program: whatever it raises, `SystemExit` included, becomes a
    `Failure`. Only `KeyboardInterrupt` passes.

    Args:
        disabled: Plugin names that must not be imported, each with who disabled it.
        strict: Whether a failure is an error; `None` reads `GATLE_STRICT_PLUGINS`.

    Attributes:
        failures: What went wrong so far.
    """

    def __init__(
        self, *, disabled: Mapping[str, str] | None = None, strict: bool | None = None
    ) -> None:
        self._pluggy = pluggy.PluginManager("gatle")
        self._pluggy.add_hookspecs(hookspecs)
        self._hook_names = frozenset(n for n in vars(self._pluggy.hook) if n.startswith("gatle_"))
        self._disabled: dict[str, str] = {}
        self._infos: dict[str, PluginInfo] = {}
        self._registries: dict[str, Registry] = {}
        self.failures = FailureLog()
        self.strict = strict_plugins() if strict is None else strict
        core = PluginInfo(name="core", distribution="gatle-core", version=version("gatle-core"))
        self._load(core, lambda: importlib.import_module(BUILTINS), place=BUILTINS)
        for name, by in (disabled or {}).items():
            self.disable(name, by=by)

    # Loading ---------------------------------------------------------------------------------

    def discover(self, *, only: Collection[str] | None = None) -> None:
        """Load every installed plugin of the entry-point group `gatle` that is not disabled.

        Args:
            only: The entry-point names to look at; by default all.
        """
        for candidate in candidates():
            if only is None or candidate.name in only:
                self._load_candidate(candidate)
        self.raise_if_strict()

    def load_module(self, name: str, *, by: str) -> None:
        """Load a plugin module by its dotted path, as `-p my.module` and `[plugins] load` do.

        A module that an entry point has loaded already is left as it is.

        Raises:
            PluginError: If it fails; who asks for a plugin by name cannot do without it.
            ConfigError: If the same plugin is disabled.
        """
        if name in self._disabled:
            what = f"plugin {name!r} is asked for by {by} and disabled by {self._disabled[name]}"
            raise ConfigError(what, fix="leave out one of them")
        if name in self._infos or self._pluggy.is_registered(sys.modules.get(name)):
            return
        before = len(self.failures)
        info = PluginInfo(name=name, distribution="-", version="-")
        self._load(info, lambda: importlib.import_module(name), place=name)
        if len(self.failures) > before:
            what = f"the plugin module {name!r} cannot be used: {self.failures[-1].reason}"
            raise PluginError(what, where=f"Asked for by {by}")

    def register(self, module: ModuleType, *, name: str, distribution: str = "-") -> None:
        """Register a module that is already imported; its defects become failures."""
        info = PluginInfo(name=name, distribution=distribution, version="-")
        self._load(info, lambda: module, place=module.__name__)

    def disable(self, name: str, *, by: str) -> None:
        """Take a plugin out, whether it is loaded already or not.

        Raises:
            ConfigError: If nothing works without it.
        """
        if name in ESSENTIAL:
            what = f"plugin {name!r} is essential and cannot be disabled"
            raise ConfigError(what, where=f"Asked for by {by}", fix=f"leave out {name!r}")
        self._disabled[name] = by
        if name in self._infos:
            self._unregister(name)
            info = replace(self._infos[name], state="disabled", disabled_by=by, hooks=())
            self._infos[name] = info
            self.failures.forget(name)

    def unknown_disabled(self) -> list[str]:
        """Return a sentence for each disabled name that no installed plugin has."""
        known = self._infos.keys()
        return [
            f"{by} disables plugin {name!r}, which is not installed{did_you_mean(name, known)}"
            for name, by in self._disabled.items()
            if name not in known
        ]

    # Asking ----------------------------------------------------------------------------------

    @property
    def plugins(self) -> list[PluginInfo]:
        """All plugins, sorted by name, whatever their state."""
        failed = self.failures.names()
        infos = sorted(self._infos.values(), key=lambda info: info.name)
        return [replace(i, state="failed") if i.name in failed else i for i in infos]

    def registry(self, kind: str) -> Registry:
        """Return the records of a kind, collected on first use."""
        if kind not in self._registries:
            self._registries[kind] = Registry(kind, self._collect(kind))
            self._note_clashes(self._registries[kind])
            self.raise_if_strict()
        return self._registries[kind]

    def decide(self, hook: str, argument: Any) -> Any:
        """Ask a decision hook; return the first answer that is not `None`."""
        for name, implementation in self.implementations(hook):
            try:
                answer = implementation(argument)
            except BaseException as error:
                error.add_note(f"raised by {self.describe(name)} in {hook}")
                raise
            if answer is not None:
                return answer
        return None

    def implementations(self, hook: str) -> list[tuple[str, Callable[[Any], Any]]]:
        """Return a hook's implementations in calling order, each with its plugin's name."""
        found = reversed(getattr(self._pluggy.hook, hook).get_hookimpls())
        return [(item.plugin_name, _taking_one(item)) for item in found]

    def describe(self, plugin: str) -> str:
        """Return `plugin 'x' (distribution version)` for messages."""
        return f"plugin {plugin!r} ({self._infos[plugin].label})"

    def raise_if_strict(self) -> None:
        """Turn recorded failures into an error if strict mode is on.

        Raises:
            PluginError: Naming every failure.
        """
        if self.strict and self.failures:
            what = "; ".join(str(failure) for failure in self.failures)
            raise PluginError(what, fix="repair or disable them, or unset GATLE_STRICT_PLUGINS")

    # Inside ----------------------------------------------------------------------------------

    def _load_candidate(self, candidate: Candidate) -> None:
        name = candidate.name
        info = PluginInfo(name=name, distribution=candidate.distribution, version=candidate.version)
        if name in self._disabled:
            self._infos[name] = replace(info, state="disabled", disabled_by=self._disabled[name])
        elif name in self._infos:
            error = (
                f"the entry-point name {name!r} is already used by {self._infos[name].label}; "
                "this one is not loaded"
            )
            self._clash(name, info.label, place=candidate.module, error=error)
        else:
            self._load(info, candidate.entry_point.load, place=candidate.module)

    def _load(self, info: PluginInfo, load: Callable[[], Any], *, place: str) -> None:
        name = info.name
        guard = functools.partial(
            self.failures.guard, plugin=name, distribution=info.label, place=place
        )
        started, before = time.perf_counter(), len(self.failures)
        module = guard(load, phase="import")
        info = replace(info, import_ms=(time.perf_counter() - started) * 1000)
        imported = len(self.failures) == before
        if imported and guard(lambda: self._register(module, name), phase="registration"):
            callers = self._pluggy.get_hookcallers(module) or ()
            info = replace(info, hooks=tuple(sorted(caller.name for caller in callers)))
        self._infos[name] = info

    def _register(self, module: ModuleType, name: str) -> bool:
        if not isinstance(module, ModuleType):
            raise PluginError(f"the entry point is a {type(module).__name__}, expected a module")
        found = defects(module, self._hook_names)
        if found:
            raise PluginError("; ".join(found))
        try:
            self._pluggy.register(module, name=name)
        except BaseException:
            self._unregister(name)
            raise
        self._registries.clear()
        return True

    def _unregister(self, name: str) -> None:
        if self._pluggy.has_plugin(name):
            self._pluggy.unregister(name=name)
        self._registries.clear()

    def _collect(self, kind: str) -> Iterable[Provided]:
        hook = f"gatle_{kind}"
        expected = hookspecs.PROVIDERS[kind]
        for item in getattr(self._pluggy.hook, hook).get_hookimpls():
            info = self._infos[item.plugin_name]
            records = self.failures.guard(
                functools.partial(_records, item.function, expected),
                plugin=info.name,
                distribution=info.label,
                phase="collection",
                place=hook,
            )
            for record in records or ():
                yield Provided(
                    record=record,
                    plugin=info.name,
                    distribution=info.label,
                    first_party=info.distribution in FIRST_PARTY,
                )

    def _note_clashes(self, registry: Registry) -> None:
        for owner, *others in registry.clashes:
            for other in others:
                error = (
                    f"the name {other.record.name!r} is already offered by {owner.plugin!r} "
                    f"({owner.distribution}); this one is reached as {other.qualified!r}"
                )
                hook = f"gatle_{registry.kind}"
                self._clash(other.plugin, other.distribution, place=hook, error=error)

    def _clash(self, plugin: str, distribution: str, *, place: str, error: str) -> None:
        self.failures.add(
            Failure(
                plugin=plugin, distribution=distribution, phase="name", place=place, reason=error
            )
        )


def _records(function: Callable[[], Iterable[Any]], expected: type) -> list[Any]:
    """Return everything a provider yields, all of it or an error."""
    items = list(function())
    for item in items:
        if type(item) is not expected:
            message = f"expected {expected.__name__} records, got {item!r}"
            raise TypeError(message)
    names = [item.name for item in items]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        message = f"two records are called {twice!r}"
        raise ValueError(message)
    return items


def _taking_one(item: pluggy.HookImpl) -> Callable[[Any], Any]:
    """Return an implementation that can be given the hook's argument, even if it names none."""
    function: Callable[..., Any] = item.function
    return function if item.argnames else lambda _argument: function()
