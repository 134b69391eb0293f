from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from gatle.errors import ConfigError
from gatle.metrics import reduce_states

WORKER = Path(__file__).with_name("two_ranks.py")


@pytest.fixture(scope="module")
def two_ranks(tmp_path_factory):
    """What each of two processes found, after they met through gloo."""
    store = tmp_path_factory.mktemp("store") / "store"
    environment = os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    ranks = [
        subprocess.Popen(
            [sys.executable, WORKER, str(rank), store],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in (0, 1)
    ]
    try:
        said = [rank.communicate(timeout=120) for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
            rank.wait()
    assert [rank.returncode for rank in ranks] == [0, 0], said
    return [json.loads(out) for out, _ in said]


@pytest.fixture(scope="module")
def alone():
    return runpy.run_path(str(WORKER))["evaluated"](slice(None))


@pytest.mark.parametrize("share", ["uneven", "none for the second"])
def test_two_ranks_find_what_one_process_finds(two_ranks, alone, share):
    for found in (rank[share] for rank in two_ranks):
        assert found["samples"] == alone["samples"] == 127
        assert found["states"] == alone["states"]
        loss = found["numbers"].pop("valid/loss")
        assert loss == pytest.approx(alone["numbers"]["valid/loss"], rel=0, abs=1e-12)
        assert found["numbers"].items() <= alone["numbers"].items()
        assert len(found["numbers"]) == len(alone["numbers"]) - 1


def test_sums_are_exact_and_keep_their_dtype_and_the_longest_shape(two_ranks):
    for found in (rank["reduced"] for rank in two_ranks):
        assert found["whole"] == ["torch.int64", 2**54 + 1]
        assert found["small"] == ["torch.int8", [50, 25]]
        dtype, values = found["float"]
        assert dtype == "torch.float32"
        assert torch.tensor(values).allclose(torch.full((2, 2), 0.3))
        assert found["double"] == ["torch.float64", 1.0]


def test_a_single_process_keeps_what_it_has():
    states = {"count": torch.tensor([1, 2]), "sum": torch.tensor(0.1)}
    reduced = reduce_states(states)
    assert list(reduced) == list(states)
    assert all(reduced[key] is states[key] for key in states)
    assert reduce_states({}) == {}


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (
            3,
            "state 'f1.hits' is of type int, expected a tensor. "
            "Fix: return tensors from state(), for example torch.tensor(3).",
        ),
        (
            torch.zeros(2, dtype=torch.complex64),
            "state 'f1.hits' is of dtype torch.complex64, expected whole numbers or floats. "
            "Fix: keep the real and the imaginary part as two states.",
        ),
    ],
)
def test_a_state_that_cannot_be_added_up_is_named(state, message):
    with pytest.raises(ConfigError) as caught:
        reduce_states({"f1.hits": state})
    assert str(caught.value) == message
