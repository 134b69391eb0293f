from __future__ import annotations

import pytest
import torch

from gatle.errors import ConfigError
from gatle.trainer.precision import decide
from gatle.trainer.training import choose_device

CPU = torch.device("cpu")


def test_a_cpu_computes_in_full_precision_by_itself():
    assert decide("auto", device=CPU).name == "fp32"


def test_bf16_is_used_where_it_is_asked_for():
    with decide("bf16", device=CPU).autocast():
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16


def test_fp16_needs_a_gpu():
    with pytest.raises(ConfigError) as caught:
        decide("fp16", device=CPU)
    assert str(caught.value) == (
        "precision.dtype = 'fp16' needs a GPU, the device is 'cpu'. Fix: write 'bf16' or 'fp32'."
    )


@pytest.mark.parametrize("name", ["gpu", "cuda:99", "cup"])
def test_a_device_that_is_not_here_is_named(name):
    with pytest.raises(
        ConfigError, match=f"device '{name}' cannot be used here: .* Fix: choose 'au"
    ):
        choose_device(name)
