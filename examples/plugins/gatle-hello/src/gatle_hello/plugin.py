"""What this distribution offers gatle. Nothing heavy is imported here: every command lists it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gatle.plugin import Command, ConfigSection, Loss, Metric, hookimpl
from gatle_hello import greeting

if TYPE_CHECKING:
    from gatle import Run

gatle_api = 1


@hookimpl
def gatle_losses() -> Iterator[Loss]:
    """Offer the hinge loss."""
    yield Loss(
        name="hinge",
        target="gatle_hello.losses:hinge",
        summary="Multi-class hinge loss of Crammer and Singer.",
    )


@hookimpl
def gatle_metrics() -> Iterator[Metric]:
    """Offer the mean margin."""
    yield Metric(
        name="margin",
        target="gatle_hello.metrics:Margin",
        summary="The mean lead of the true class over the best other class.",
        higher_is_better=True,
    )


@hookimpl
def gatle_commands() -> Iterator[Command]:
    """Offer `gatle hello`."""
    yield Command(
        name="hello",
        target="gatle_hello.command:hello",
        summary="Greet somebody, and count the runs.",
        group="Plugins",
    )


@hookimpl
def gatle_config_sections() -> Iterator[ConfigSection]:
    """Offer the table `[plugin.hello]`."""
    yield ConfigSection(
        name="hello", target="gatle_hello.config:Hello", summary="What greeting.txt says, and when."
    )


@hookimpl
def gatle_on_run_start(run: Run) -> None:
    """Greet the run."""
    greeting.greet_run(run)


@hookimpl
def gatle_on_epoch_end(run: Run) -> None:
    """Greet the epoch."""
    greeting.greet_epoch(run)
