"""What `import gatle` offers to train."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from gatle.config import Config, Resolved, load_file, load_object, resolve
from gatle.config.recorder import Recorder
from gatle.launch import LaunchRequest, launch
from gatle.plugins import PluginManager, discover
from gatle.run import Run, default_root
from gatle.trainer.training import train_resolved


def train(
    config: Config | Recorder | Mapping[str, Any] | str | Path,
    *,
    runs: str | Path | None = None,
    name: str | None = None,
    observers: Iterable[Any] = (),
    manager: PluginManager | None = None,
) -> Run:
    """Train a config and return the finished run.

    Args:
        config: A `gatle.Config`, a dict, or the path of a config file.
        runs: The folder that keeps runs; by default `$GATLE_RUNS`, else `./runs`.
        name: The run's name; by default one that is unique by itself.
        observers: Objects with methods `on_<event>(run)`, called as plugins' events are.
        manager: The plugin manager; by default a new one.

    Raises:
        GatleError: If the config is wrong or the run fails or diverges.
    """
    manager = manager or discover()
    if isinstance(config, str | Path):
        tree, prefix = load_file(Path(config)), Path(config).stem
    else:
        tree, prefix = load_object(cast("Recorder", config), source="the config"), "run"
    return start(
        resolve(tree, manager=manager),
        manager=manager,
        root=Path(runs) if runs is not None else default_root(),
        name=name,
        prefix=prefix,
        observers=observers,
    )


def start(
    resolved: Resolved,
    *,
    manager: PluginManager,
    root: Path,
    name: str | None = None,
    prefix: str = "run",
    observers: Iterable[Any] = (),
    command: Sequence[str] | None = None,
) -> Run:
    """Train a resolved config through the launcher it names."""

    def work() -> Run:
        return train_resolved(
            resolved,
            manager=manager,
            root=root,
            name=name,
            prefix=prefix,
            observers=observers,
            command=command,
        )

    section = resolved.config.launch
    request = LaunchRequest(function=work, device=section.device)
    run: Run = launch(request, launcher=section.launcher, manager=manager)
    return run
