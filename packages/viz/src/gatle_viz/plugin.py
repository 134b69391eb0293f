"""Registers figures with gatle."""

from __future__ import annotations

from collections.abc import Iterator

from gatle.plugin import Command, hookimpl

gatle_api = 1


@hookimpl
def gatle_commands() -> Iterator[Command]:
    """Offer the commands that draw."""
    yield Command(
        name="plot",
        target="gatle_viz.commands.plot:plot",
        summary="Draw the curves of runs as PNG or SVG.",
        group="Look",
    )
