"""A training run from its config to its last line in `run.json`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

from gatle.config import Resolved
from gatle.config.dump import origins, to_toml
from gatle.config.user_code import reason, user_line
from gatle.data import fingerprint
from gatle.errors import DivergedError, GatleError, RunFailedError
from gatle.events import Events, compile_events
from gatle.plugins import PluginManager
from gatle.run import Run, Stateful, Status, create_folder, start_facts, write_status
from gatle.run.files import write_json, write_text
from gatle.tracking import Console, RecordWriter, StatusWriter
from gatle.trainer.assemble import TrainingParts, assemble_training
from gatle.trainer.callbacks import stateful_key
from gatle.trainer.device import choose_device
from gatle.trainer.loop import fit


def train_resolved(
    resolved: Resolved,
    *,
    manager: PluginManager,
    root: Path,
    name: str | None = None,
    prefix: str = "run",
    observers: Iterable[Any] = (),
    command: Sequence[str] | None = None,
) -> Run:
    """Build, train and record one run in this process.

    Raises:
        GatleError: If something is wrong before step 1, or the run fails or diverges.
        KeyboardInterrupt: If it is interrupted; the record says `stopped`.
    """
    device = choose_device(resolved.config.launch.device)
    parts = assemble_training(resolved, device=device)
    facts = start_facts(command=command or sys.argv, manager=manager, folder=resolved.folder)
    facts["data"] = fingerprint(parts.evaluation.splits)
    folder = create_folder(root, name, prefix=prefix)
    run = _new_run(resolved, parts, folder, device)
    watchers = _begin(run, resolved, facts)
    events = compile_events(manager, [*watchers, *observers], callbacks=parts.callbacks)
    _run_through(parts, run, events, facts)
    return run


def _begin(run: Run, resolved: Resolved, facts: dict[str, Any]) -> list[Any]:
    """Write what a run's folder begins with, all of it, and return core's own observers.

    Raises:
        RunFailedError: If it cannot be written; then no folder is left behind.
    """
    folder = run.folder
    try:
        write_status(run, facts)
        _write_config(resolved, folder)
        return [StatusWriter(facts), RecordWriter(folder), Console(folder / "console.log")]
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        what = f"the run's folder {str(folder)!r} cannot be written: {error.strerror}"
        raise RunFailedError(what, fix="make room, or say another --runs DIR") from error


def _new_run(resolved: Resolved, parts: TrainingParts, folder: Path, device: torch.device) -> Run:
    return Run(
        name=folder.name,
        folder=folder,
        config=resolved.config,
        plugin_sections=resolved.plugin_sections,
        device=str(device),
        total_steps=parts.span.total_steps,
        steps_per_epoch=parts.span.steps_per_epoch,
        stateful={
            stateful_key(name): callback
            for name, callback in parts.callbacks.items()
            if isinstance(callback, Stateful)
        },
    )


def _write_config(resolved: Resolved, folder: Path) -> None:
    write_text(folder / "config.toml", to_toml(resolved))
    write_json(folder / "config.origins.json", origins(resolved))


def _run_through(parts: TrainingParts, run: Run, events: Events, facts: dict[str, Any]) -> None:
    """Fit, and leave the truth about how it ended, whatever happens."""
    run.status = "running"
    error = _error_of(lambda: _fit(parts, run, events), run)
    run.status, run.phase, run.error = _ending(error), "end", error
    unwritten = _error_of(lambda: write_status(run, facts), run)
    late = _error_of(lambda: _end(run, events), run) or unwritten
    if isinstance(late, Exception) and error is None:
        run.status, run.error = "failed", late
        _error_of(lambda: write_status(run, facts), run)
    error = error or late
    if error is not None:
        raise error


def _end(run: Run, events: Events) -> None:
    if events.run_end is not None:
        events.run_end(run)


def _fit(parts: TrainingParts, run: Run, events: Events) -> None:
    if events.run_start is not None:
        events.run_start(run)
    fit(parts, run, events)


def _error_of(work: Callable[[], None], run: Run) -> BaseException | None:
    """Do some work and return what it raised, as an error that says where."""
    try:
        work()
    except GatleError as error:
        error.where = _placed(error.where, getattr(error, "__notes__", ()))
        return error
    except (Exception, SystemExit) as error:  # noqa: BLE001  a plugin that leaves is a failure
        return _failed(run, error)
    except BaseException as error:  # noqa: BLE001  Ctrl-C, or a signal made an exception
        return error
    return None


def _ending(error: BaseException | None) -> Status:
    if error is None:
        return "finished"
    if isinstance(error, DivergedError):
        return "diverged"
    return "failed" if isinstance(error, Exception) else "stopped"


def _failed(run: Run, error: BaseException) -> RunFailedError:
    what = f"run {run.name!r} failed at step {run.step}: {reason(error)}"
    place = user_line(error)
    where = _placed(place and f"At {place}", getattr(error, "__notes__", ()))
    failure = RunFailedError(what, where=where)
    failure.__cause__ = error
    return failure


def _placed(where: str | None, notes: Iterable[str]) -> str | None:
    """Return the place of an error, after who raised it."""
    return (
        ". ".join([*(f"{note[:1].upper()}{note[1:]}" for note in notes), *filter(None, [where])])
        or None
    )
