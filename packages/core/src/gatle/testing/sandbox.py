"""A plugin manager for tests, which sees nothing that happens to be installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gatle.hookspecs import PROVIDERS
from gatle.plugins import Failure, PluginManager, Provided
from gatle.plugins.manager import BUILTINS

if TYPE_CHECKING:
    from gatle.config import Config
    from gatle.config.recorder import Recorder
    from gatle.run import Run


class Sandbox:
    """Core and the plugin modules that are named, and no plugin else, whatever is installed.

    A module's plugin name in a sandbox is its dotted path, so that `my.plugin/name` is the
    qualified spelling of its records.

    Args:
        modules: Plugin modules, by dotted path or themselves.
    """

    def __init__(self, *modules: str | ModuleType) -> None:
        self.manager = PluginManager(strict=False)
        for module in modules:
            self.register(module)

    def register(self, module: str | ModuleType) -> None:
        """Register a plugin module; what it does wrong is found in `failures`.

        Raises:
            ImportError: If there is no such module; whatever it raises on import passes too.
        """
        module = importlib.import_module(module) if isinstance(module, str) else module
        if module.__name__ != BUILTINS:
            self.manager.register(module, name=module.__name__)

    @property
    def failures(self) -> list[Failure]:
        """Every defect of the plugins, after collecting the records of all kinds."""
        for kind in PROVIDERS:
            self.manager.registry(kind)
        return list(self.manager.failures)

    def provided(self, kind: str, module: str) -> list[Provided]:
        """Return the records of one kind that one plugin module offers, sorted by name."""
        plugin = "core" if module == BUILTINS else module
        return [item for item in self.manager.registry(kind) if item.plugin == plugin]

    def train(
        self,
        config: Config | Recorder | Mapping[str, Any] | str | Path,
        *,
        runs: str | Path,
        name: str | None = None,
        observers: Iterable[Any] = (),
    ) -> Run:
        """Train a config in this process, as `gatle.train` does, with the sandbox's plugins alone.

        Args:
            config: A `gatle.Config`, a dict, or the path of a config file.
            runs: The folder that keeps the run; tests give `tmp_path`.
            name: The run's name; by default one that is unique by itself.
            observers: Objects with methods `on_<event>(run)`.

        Raises:
            GatleError: If the config is wrong or the run fails or diverges.
        """
        from gatle.trainer import train

        return train(config, runs=runs, name=name, observers=observers, manager=self.manager)
