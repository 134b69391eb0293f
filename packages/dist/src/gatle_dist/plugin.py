"""Registers distributed training with gatle."""

from __future__ import annotations

from collections.abc import Iterator

from gatle.plugin import Check, hookimpl

gatle_api = 1


@hookimpl
def gatle_checks() -> Iterator[Check]:
    """Offer the checks of distributed training."""
    yield Check(
        name="process-group",
        target="gatle_dist.checks:process_group",
        summary="Two processes on this machine form a group and add up a tensor.",
    )
