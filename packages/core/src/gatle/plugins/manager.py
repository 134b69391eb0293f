"""The plugin manager: discovery, blocking, isolation, provenance and timing."""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, Literal

import pluggy

from gatle import hookspecs
from gatle.environment import strict_plugins
from gatle.errors import ConfigError, PluginError
from gatle.plugins.discovery import FIRST_PARTY, Candidate, candidates
from gatle.plugins.failures import Failure, Phase
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
    state: Literal["active", "disabled", "failed"]
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
    """

    def __init__(
        self, *, disabled: Mapping[str, str] | None = None, strict: bool | None = None
    ) -> None:
        self._pluggy = pluggy.PluginManager("gatle")
        self._pluggy.add_hookspecs(hookspecs)
        self._disabled = dict(disabled or {})
        self._refuse_essential(self._disabled)
        self._infos: dict[str, PluginInfo] = {}
        self._registries: dict[str, Registry] = {}
        self.failures: list[Failure] = []
        self.strict = strict_plugins() if strict is None else strict
        self._load_builtins()

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

        Raises:
            PluginError: If it fails; who asks for a plugin by name cannot do without it.
        """
        if name in self._infos:
            return
        before = len(self.failures)
        self._load(name, distribution="-", version="-", load=lambda: importlib.import_module(name))
        if len(self.failures) > before:
            raise PluginError(str(self.failures[-1]), where=f"Asked for by {by}")

    def register(self, module: ModuleType, *, name: str, distribution: str = "-") -> None:
        """Register a module that is already imported; its defects become failures."""
        self._load(name, distribution=distribution, version="-", load=lambda: module)

    def disable(self, name: str, *, by: str) -> None:
        """Take a plugin out, whether it is loaded already or not."""
        self._refuse_essential({name: by})
        self._disabled[name] = by
        if name not in self._infos:
            return
        self._unregister(name)
        self._infos[name] = replace(self._infos[name], state="disabled", disabled_by=by, hooks=())
        self.failures = [failure for failure in self.failures if failure.plugin != name]
        self._registries.clear()

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
        failed = {failure.plugin for failure in self.failures if failure.phase != "name"}
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

    def implementations(self, hook: str) -> list[tuple[str, Callable[..., Any]]]:
        """Return the implementations of a hook in calling order, each with its plugin's name."""
        found = reversed(getattr(self._pluggy.hook, hook).get_hookimpls())
        return [(item.plugin_name, _one_argument(item, hook)) for item in found]

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

    def _load_builtins(self) -> None:
        module = importlib.import_module(BUILTINS)
        self._pluggy.register(module, name="core")
        version = _own_version()
        self._infos["core"] = PluginInfo(
            name="core",
            distribution="gatle-core",
            version=version,
            state="active",
            hooks=self._hooks_of(module),
        )

    def _load_candidate(self, candidate: Candidate) -> None:
        if candidate.name in self._infos:
            self._fail(
                f"the entry-point name {candidate.name!r} is already used by "
                f"{self._infos[candidate.name].label}; this one is not loaded",
                plugin=candidate.name,
                distribution=candidate.label,
                phase="name",
                place=candidate.module,
            )
        elif candidate.name in self._disabled:
            self._infos[candidate.name] = PluginInfo(
                name=candidate.name,
                distribution=candidate.distribution,
                version=candidate.version,
                state="disabled",
                disabled_by=self._disabled[candidate.name],
            )
        else:
            self._load(
                candidate.name,
                distribution=candidate.distribution,
                version=candidate.version,
                load=candidate.entry_point.load,
                place=candidate.module,
            )

    def _load(
        self,
        name: str,
        *,
        distribution: str,
        version: str,
        load: Callable[[], Any],
        place: str = "",
    ) -> None:
        started = time.perf_counter()
        info = PluginInfo(name=name, distribution=distribution, version=version, state="active")
        module = self._guarded(load, info, phase="import", place=place or name)
        import_ms = (time.perf_counter() - started) * 1000
        self._infos[name] = replace(info, import_ms=import_ms)
        if module is None:
            return
        found = defects(module, self._hook_names())
        for defect in found:
            self._fail(
                defect,
                plugin=name,
                distribution=info.label,
                phase="registration",
                place=place or name,
            )
        if not found:
            self._guarded(
                lambda: self._pluggy.register(module, name=name) or True,
                info,
                phase="registration",
                place=place or name,
            )
        self._finish_registration(name, module)

    def _finish_registration(self, name: str, module: ModuleType) -> None:
        if any(failure.plugin == name for failure in self.failures):
            self._unregister(name)
        else:
            self._infos[name] = replace(self._infos[name], hooks=self._hooks_of(module))
        self._registries.clear()

    def _guarded(
        self, work: Callable[[], Any], info: PluginInfo, *, phase: Phase, place: str
    ) -> Any:
        """Run a plugin's code; whatever it raises but Ctrl-C becomes a failure, and `None`."""
        try:
            return work()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a plugin may raise SystemExit
            self.failures.append(
                Failure.of(
                    error, plugin=info.name, distribution=info.label, phase=phase, place=place
                )
            )
            return None

    def _collect(self, kind: str) -> Iterable[Provided]:
        hook = f"gatle_{kind}"
        expected = hookspecs.PROVIDERS[kind]
        for item in getattr(self._pluggy.hook, hook).get_hookimpls():
            info = self._infos[item.plugin_name]
            read = functools.partial(_records, item.function, expected)
            records = self._guarded(read, info, phase="collection", place=hook)
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
                self._fail(
                    f"the name {other.record.name!r} is already offered by {owner.plugin!r} "
                    f"({owner.distribution}); this one is reached as {other.qualified!r}",
                    plugin=other.plugin,
                    distribution=other.distribution,
                    phase="name",
                    place=f"gatle_{registry.kind}",
                )

    def _fail(
        self, error: str, *, plugin: str, distribution: str, phase: Phase, place: str
    ) -> None:
        failure = Failure(
            plugin=plugin, distribution=distribution, phase=phase, place=place, error=error
        )
        if failure not in self.failures:
            self.failures.append(failure)

    def _unregister(self, name: str) -> None:
        if self._pluggy.has_plugin(name):
            self._pluggy.unregister(name=name)

    def _refuse_essential(self, names: Mapping[str, str]) -> None:
        for name, by in names.items():
            if name in ESSENTIAL:
                what = f"plugin {name!r} is essential and cannot be disabled"
                raise ConfigError(what, where=f"Asked for by {by}", fix=f"leave out {name!r}")

    def _hook_names(self) -> frozenset[str]:
        return frozenset(name for name in vars(self._pluggy.hook) if name.startswith("gatle_"))

    def _hooks_of(self, module: ModuleType) -> tuple[str, ...]:
        callers = self._pluggy.get_hookcallers(module) or ()
        return tuple(sorted(caller.name for caller in callers))


def _records(function: Callable[[], Iterable[Any]], expected: type) -> list[Any]:
    """Return everything a provider yields, all of it or an error."""
    items = list(function())
    for item in items:
        if type(item) is not expected:
            message = f"expected {expected.__name__} records, got {item!r}"
            raise TypeError(message)
    return items


def _one_argument(item: Any, hook: str) -> Callable[..., Any]:
    """Return an implementation that takes the hook's argument, even if it names none."""
    function: Callable[..., Any] = item.function
    if item.argnames or hook.removeprefix("gatle_") in hookspecs.PROVIDERS:
        return function
    return lambda _argument: function()


def _own_version() -> str:
    from importlib.metadata import version

    return version("gatle-core")
