"""What gatle-cli registers: its own subcommands, through the hook that strangers use."""

from __future__ import annotations

from collections.abc import Iterator

from gatle.plugin import Command, hookimpl


@hookimpl
def gatle_commands() -> Iterator[Command]:
    """Offer the subcommands of gatle-cli."""
    yield Command(
        name="train",
        target="gatle_cli.commands.train:train",
        summary="Train a config file or a recipe.",
        group="Train",
    )
    yield Command(
        name="eval",
        target="gatle_cli.commands.evaluate:evaluate",
        summary="Measure a run's checkpoint on a split.",
        group="Train",
    )
    yield Command(
        name="config",
        target="gatle_cli.commands.config:config",
        summary="Check a config and show what it resolves to.",
        group="Train",
    )
    yield Command(
        name="plugins",
        target="gatle_cli.commands.plugins:plugins",
        summary="Show what is active, disabled and failed.",
        group="Set up",
    )
    yield Command(
        name="doctor",
        target="gatle_cli.commands.doctor:doctor",
        summary="Check this machine and installation.",
        group="Set up",
    )
