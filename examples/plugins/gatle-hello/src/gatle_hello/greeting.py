"""Observers: they read the run, write a file of their own, and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from gatle import Run
    from gatle_hello.config import Hello

FILE_NAME = "greeting.txt"


def greet_run(run: Run) -> None:
    """Write the first line."""
    _write(run, f"{_section(run).greeting}, {run.name}: {run.total_steps} steps to go.")


def greet_epoch(run: Run) -> None:
    """Write a line every `every_epochs` epochs."""
    section = _section(run)
    if run.epoch % section.every_epochs == 0:
        _write(run, f"{section.greeting}, epoch {run.epoch} at step {run.step}.")


def _section(run: Run) -> Hello:
    return cast("Hello", run.plugin_sections["hello"])


def _write(run: Run, line: str) -> None:
    with (run.folder / FILE_NAME).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
