"""Checks of quantized arithmetic for `gatle doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gatle.plugin import Finding

if TYPE_CHECKING:
    from gatle_quant.probe import Outcome


def int8_exact() -> Finding:
    """Compare INT8 matrix products of this machine with exact integers.

    A warning says that full-range products saturate and how to avoid it; an error says that even
    activations kept to 0..127 give wrong integers.
    """
    from gatle_quant.probe import FULL_RANGE, REDUCED_RANGE, probe_int8, probe_uint8

    outcomes = {
        "uint8_full": probe_uint8(high=FULL_RANGE),
        "uint8_reduced": probe_uint8(high=REDUCED_RANGE),
        "int8_full": probe_int8(),
    }
    return judge(outcomes, machine=_machine())


def judge(outcomes: dict[str, Outcome], *, machine: dict[str, Any]) -> Finding:
    """Return what the outcomes of the probes mean for quantized models on this machine.

    Args:
        outcomes: The outcomes of `uint8_full`, `uint8_reduced` and `int8_full`.
        machine: `capability` and `engines`, and whatever else the report should hold.
    """
    data = machine | {name: outcome.as_data() for name, outcome in outcomes.items()}
    probed = {name: outcome for name, outcome in outcomes.items() if not outcome.unavailable}
    place = f"on this CPU ({machine['capability']}; engines {', '.join(machine['engines'])})"
    if not probed:
        reasons = "; ".join(f"{o.name}: {o.unavailable}" for o in outcomes.values())
        detail = f"torch computes no INT8 matrix product {place}: {reasons}"
        return Finding(status="skipped", detail=detail, data=data)
    inexact = {name: outcome for name, outcome in probed.items() if not outcome.exact}
    if not inexact:
        names = ", ".join(outcome.name for outcome in probed.values())
        return Finding(status="ok", detail=f"exact {place}: {names}", data=data)
    detail = f"not exact {place}: {'; '.join(map(_error, inexact.values()))}"
    if "uint8_reduced" in inexact:
        remedy = "do not run INT8 models here: even activations of 0..127 give wrong integers"
        return Finding(status="error", detail=detail, remedy=remedy, data=data)
    return Finding(status="warning", detail=detail, remedy=_remedy(inexact), data=data)


def _error(outcome: Outcome) -> str:
    share = outcome.max_error / outcome.max_exact
    return (
        f"{outcome.name} wrong in {outcome.wrong} of {outcome.products} products, "
        f"by up to {outcome.max_error:,} ({share:.0%} of the largest)"
    )


def _remedy(inexact: dict[str, Outcome]) -> str:
    parts = []
    if "uint8_full" in inexact:
        parts.append("keep activations to 0..127 when quantizing for this machine")
    if "int8_full" in inexact:
        parts.append("keep the second factor of torch._int_mm within -64..64")
    return ", and ".join(parts)


def _machine() -> dict[str, Any]:
    import os

    import torch

    return {
        "capability": torch.backends.cpu.get_cpu_capability(),
        "engines": [e for e in torch.backends.quantized.supported_engines if e != "none"],
        "engine": torch.backends.quantized.engine,
        "onednn_max_cpu_isa": os.environ.get("ONEDNN_MAX_CPU_ISA"),
        "torch": str(torch.__version__),
    }
