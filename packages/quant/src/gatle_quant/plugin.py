"""Registers quantization with gatle."""

from __future__ import annotations

from collections.abc import Iterator

from gatle.plugin import Check, hookimpl

gatle_api = 1


@hookimpl
def gatle_checks() -> Iterator[Check]:
    """Offer the checks of quantized arithmetic."""
    yield Check(
        name="int8-exact",
        target="gatle_quant.checks:int8_exact",
        summary="INT8 matrix products give the exact integers on this machine.",
    )
