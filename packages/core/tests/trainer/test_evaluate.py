from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import TensorDataset

from gatle.data import make_loader
from gatle.errors import ConfigError
from gatle.metrics import Accuracy
from gatle.trainer import Classification
from gatle.trainer.evaluate import evaluate_split
from gatle.trainer.precision import Precision

FP32 = Precision(name="fp32", device_type="cpu")


@pytest.fixture
def evaluated():
    """A function that evaluates 101 rows in batches of some size."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Linear(8, 4)).train()
    rows = TensorDataset(torch.randn(101, 3), torch.randint(4, (101,)))
    device = torch.device("cpu")
    trainer = Classification(model=model, loss_function=functional.cross_entropy, device=device)

    def run(batch_size, metrics=None):
        metrics = {"accuracy": Accuracy()} if metrics is None else metrics
        batches = make_loader(rows, batch_size=batch_size, seed=0)
        return evaluate_split(trainer, batches, metrics, split="valid", precision=FP32)

    run.model = model
    return run


def test_numbers_do_not_depend_on_the_batch_size(evaluated):
    whole, samples = evaluated(101)
    assert samples == 101
    for batch_size in (1, 7, 100):
        numbers, samples = evaluated(batch_size)
        assert samples == 101
        assert numbers["valid/accuracy"] == whole["valid/accuracy"]
        assert numbers["valid/loss"] == pytest.approx(whole["valid/loss"], rel=1e-6)


def test_evaluating_changes_nothing_in_the_model(evaluated):
    before = {key: value.clone() for key, value in evaluated.model.state_dict().items()}
    evaluated(10)
    assert evaluated.model.training
    for key, value in evaluated.model.state_dict().items():
        assert torch.equal(value, before[key])


class Computes(Accuracy):
    def __init__(self, value):
        super().__init__()
        self.value = value

    def compute(self):
        return self.value


def test_numbers_of_numpy_and_torch_become_plain_ones(evaluated):
    value = {"a": np.float32(0.5), "b": torch.tensor(2), "c": np.float64("nan")}
    numbers, _ = evaluated(101, {"mine": Computes(value)})
    assert {type(number) for number in numbers.values()} == {float}
    assert (numbers["valid/a"], numbers["valid/b"]) == (0.5, 2.0)
    assert math.isnan(numbers["valid/c"])


@pytest.mark.parametrize("value", [0.5, {"a": "high"}, {"a": torch.zeros(2)}])
def test_a_metric_that_computes_no_numbers_is_named(evaluated, value):
    with pytest.raises(ConfigError, match="metric 'mine' must compute a dict of numbers: "):
        evaluated(101, {"mine": Computes(value)})
