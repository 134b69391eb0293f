from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gatle.plugin import Finding
from gatle_quant import plugin
from gatle_quant.checks import int8_exact, judge
from gatle_quant.probe import Outcome, probe_int8, probe_uint8

MACHINE = {"capability": "AVX2", "engines": ["x86", "onednn"]}
EXACT = Outcome(name="product", products=4, max_exact=100)
WRONG = Outcome(name="product", products=4, wrong=2, max_error=49, max_exact=100)
MISSING = Outcome(name="product", unavailable="no such operator")


@pytest.fixture(scope="module")
def capped():
    """The finding of a fresh process whose oneDNN may use AVX2 at most."""
    code = (
        "import json, dataclasses, gatle_quant.checks as c;"
        "print(json.dumps(dataclasses.asdict(c.int8_exact())))"
    )
    return json.loads(python(code, ONEDNN_MAX_CPU_ISA="AVX2"))


def outcomes(*, full=EXACT, reduced=EXACT, signed=EXACT):
    return {"uint8_full": full, "uint8_reduced": reduced, "int8_full": signed}


def test_plugin_offers_the_check():
    (check,) = plugin.gatle_checks()
    assert check.name == "int8-exact"
    assert check.load() is int8_exact


def test_finding_says_what_the_products_on_this_machine_are():
    finding = int8_exact()
    assert isinstance(finding, Finding)
    assert finding.data == json.loads(json.dumps(finding.data))
    full, reduced, signed = (
        finding.data[key] for key in ("uint8_full", "uint8_reduced", "int8_full")
    )
    available = [part for part in (full, reduced, signed) if not part["unavailable"]]
    if not available:
        assert finding.status == "skipped"
    elif all(part["exact"] for part in available):
        assert finding.status == "ok"
        assert finding.remedy == ""
    else:
        assert finding.status in {"warning", "error"}
        assert finding.remedy
    assert finding.data["capability"] in finding.detail


def test_reduced_activations_are_exact_wherever_they_can_be_probed():
    outcome = probe_uint8(high=127)
    if outcome.unavailable:
        pytest.skip(f"torch has no UINT8 product here: {outcome.unavailable}")
    assert outcome.exact
    assert outcome.max_error == 0
    assert outcome.max_exact == 127 * 128 * 512


def test_probe_reaches_the_extremes_of_the_full_range():
    outcome = probe_uint8(high=255)
    if outcome.unavailable:
        pytest.skip(f"torch has no UINT8 product here: {outcome.unavailable}")
    assert outcome.max_exact == 255 * 128 * 512
    assert outcome.max_exact < 2**24
    assert outcome.products == 12


def test_signed_products_are_compared_over_the_full_range():
    outcome = probe_int8()
    assert not outcome.unavailable
    assert outcome.max_exact == 128 * 128 * 512
    assert outcome.exact == (outcome.wrong == 0)


def test_capped_to_avx2_full_range_saturates_and_the_remedy_holds(capped):
    """AVX2 adds two 8-bit products in 16 bits, and so does this machine if it is capped to it."""
    data = capped["data"]
    full, reduced = data["uint8_full"], data["uint8_reduced"]
    if full["unavailable"]:
        pytest.skip(f"torch has no UINT8 product here: {full['unavailable']}")
    if full["exact"]:
        pytest.skip(
            "ONEDNN_MAX_CPU_ISA=AVX2 does not reach this CPU's kernels "
            f"({data['capability']}): full-range products stay exact"
        )
    assert data["onednn_max_cpu_isa"] == "AVX2"
    # All-extreme rows lose half: each pair is cut from 64,770 to 32,767 or from -65,280 to -32,768.
    assert full["max_error"] == 256 * (2 * 255 * 128 - 32768)
    assert reduced["exact"]


def test_capped_finding_warns_with_the_remedy(capped):
    full = capped["data"]["uint8_full"]
    if full["exact"] or full["unavailable"]:
        pytest.skip(f"this CPU cannot show saturation: {capped['detail']}")
    assert capped["status"] == "warning"
    assert "not exact on this CPU" in capped["detail"]
    assert "uint8 0..255 x int8" in capped["detail"]
    assert "keep activations to 0..127" in capped["remedy"]


@pytest.mark.parametrize(
    ("found", "status", "remedy"),
    [
        (outcomes(), "ok", ""),
        (outcomes(full=MISSING, reduced=MISSING, signed=MISSING), "skipped", ""),
        (outcomes(full=MISSING, reduced=MISSING), "ok", ""),
        (outcomes(full=WRONG), "warning", "keep activations to 0..127"),
        (outcomes(signed=WRONG), "warning", "keep the second factor of torch._int_mm"),
        (outcomes(full=WRONG, reduced=WRONG), "error", "do not run INT8 models here"),
    ],
)
def test_judgement(found, status, remedy):
    finding = judge(found, machine=MACHINE)
    assert finding.status == status
    assert finding.remedy.startswith(remedy)
    assert bool(finding.remedy) == bool(remedy)


def test_wrong_products_are_told_with_their_size():
    detail = judge(outcomes(full=WRONG), machine=MACHINE).detail
    assert detail == (
        "not exact on this CPU (AVX2; engines x86, onednn): "
        "product wrong in 2 of 4 products, by up to 49 (49% of the largest)"
    )


def test_plugin_module_is_light():
    code = (
        "import sys, gatle_quant.plugin as p, gatle_quant.checks; list(p.gatle_checks());"
        "print([m for m in ('torch', 'torchao', 'numpy') if m in sys.modules])"
    )
    assert python(code).strip() == "[]"


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
