"""Every hook of gatle, on one page.

Three kinds, told apart by name. *Providers* `gatle_<plural>()` take nothing and yield records; they
are collected on first use and sorted by name. *Decisions* `gatle_<verb>_<noun>` give the first
answer that is not `None`. *Events* `gatle_on_<event>(run)` observe a run.

An exception in a provider costs that plugin its records of that kind and one warning line; the
others go on. An exception in a decision or an event stops the command, with the plugin's name in
the traceback's note: during training nothing is swallowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pluggy

from gatle import records

if TYPE_CHECKING:
    from gatle.run import Run

API_VERSION = 1
"""Changes only when a plugin written for the former version would stop working."""

hookspec = pluggy.HookspecMarker("gatle")
hookimpl = pluggy.HookimplMarker("gatle")

PROVIDERS: dict[str, type[records.Record]] = {
    "tasks": records.Task,
    "datasets": records.Dataset,
    "models": records.Model,
    "losses": records.Loss,
    "metrics": records.Metric,
    "optimizers": records.Optimizer,
    "schedules": records.Schedule,
    "checkpoint_formats": records.CheckpointFormat,
    "launchers": records.Launcher,
    "callbacks": records.Callback,
    "recipes": records.Recipe,
    "commands": records.Command,
    "checks": records.Check,
    "config_sections": records.ConfigSection,
}
"""The record type that each provider hook `gatle_<kind>` yields."""


# Providers -----------------------------------------------------------------------------------


@hookspec
def gatle_tasks() -> Iterable[records.Task]:
    """Offer tasks, the `task = "name"` of a config."""
    return ()


@hookspec
def gatle_datasets() -> Iterable[records.Dataset]:
    """Offer data sets, the `[data] name` of a config."""
    return ()


@hookspec
def gatle_models() -> Iterable[records.Model]:
    """Offer models, the `[model] name` of a config."""
    return ()


@hookspec
def gatle_losses() -> Iterable[records.Loss]:
    """Offer losses, the `[loss] name` of a config."""
    return ()


@hookspec
def gatle_metrics() -> Iterable[records.Metric]:
    """Offer metrics, the names in `metrics` of a config."""
    return ()


@hookspec
def gatle_optimizers() -> Iterable[records.Optimizer]:
    """Offer optimizers, the `[optimizer] name` of a config."""
    return ()


@hookspec
def gatle_schedules() -> Iterable[records.Schedule]:
    """Offer learning-rate schedules, the `[schedule] name` of a config."""
    return ()


@hookspec
def gatle_checkpoint_formats() -> Iterable[records.CheckpointFormat]:
    """Offer checkpoint formats, the `[checkpoint] format` of a config."""
    return ()


@hookspec
def gatle_launchers() -> Iterable[records.Launcher]:
    """Offer launchers, the `[launch] launcher` of a config."""
    return ()


@hookspec
def gatle_callbacks() -> Iterable[records.Callback]:
    """Offer callbacks, the names in `callbacks` of a config: the way to change training."""
    return ()


@hookspec
def gatle_recipes() -> Iterable[records.Recipe]:
    """Offer recipes, which `gatle train NAME` trains as they are."""
    return ()


@hookspec
def gatle_commands() -> Iterable[records.Command]:
    """Offer subcommands of `gatle`."""
    return ()


@hookspec
def gatle_checks() -> Iterable[records.Check]:
    """Offer checks for `gatle doctor`."""
    return ()


@hookspec
def gatle_config_sections() -> Iterable[records.ConfigSection]:
    """Offer a typed table `[plugin.NAME]` of the config."""
    return ()


# Decisions -----------------------------------------------------------------------------------


@hookspec(firstresult=True)
def gatle_choose_launcher(request: records.LaunchRequest) -> str | None:
    """Name the launcher for a request when the config says `launcher = "auto"`.

    Return `None` to leave the choice to others; core's own answer, asked last, is `in-process`.
    """


# Events --------------------------------------------------------------------------------------


@hookspec
def gatle_on_run_start(run: Run) -> None:
    """Called when everything is built and nothing is trained yet."""


@hookspec
def gatle_on_epoch_start(run: Run) -> None:
    """Called before the first batch of an epoch."""


@hookspec
def gatle_on_step_end(run: Run) -> None:
    """Called after each optimizer step; `run.loss` is a 0-d tensor still on the device."""


@hookspec
def gatle_on_log(run: Run) -> None:
    """Called every `log_every` steps, when `run.logs` holds fresh numbers on the host."""


@hookspec
def gatle_on_evaluate_end(run: Run) -> None:
    """Called when a split has been evaluated and `run.metrics` holds its numbers."""


@hookspec
def gatle_on_checkpoint_saved(run: Run) -> None:
    """Called when a checkpoint is whole on disk."""


@hookspec
def gatle_on_epoch_end(run: Run) -> None:
    """Called when an epoch's training, evaluation and checkpoint are done."""


@hookspec
def gatle_on_run_end(run: Run) -> None:
    """Called last, also after a failure; `run.error` tells which."""
