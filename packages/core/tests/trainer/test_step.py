from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import TensorDataset

import gatle
from gatle.trainer import Batch, Classification
from gatle.trainer.loop import windows
from gatle.trainer.precision import Precision
from gatle.trainer.step import make_step, set_learning_rates

CPU = torch.device("cpu")
FP32 = Precision(name="fp32", device_type="cpu")


@pytest.fixture
def stepped():
    """A function that takes one step over 16 rows cut into batches; returns weights and loss."""

    def run(*sizes):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
        inputs, targets = torch.randn(16, 3), torch.randint(4, (16,))
        trainer = Classification(model=model, loss_function=functional.cross_entropy, device=CPU)
        step = make_step(trainer, torch.optim.SGD(model.parameters(), lr=0.5), FP32)
        cuts = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
        loss = step([Batch(inputs=a, targets=b) for a, b in cuts])
        return nn.utils.parameters_to_vector(model.parameters()).detach(), loss

    return run


@pytest.mark.parametrize("sizes", [(4, 4, 4, 4), (5, 5, 6), (1, 15)])
def test_a_window_of_batches_equals_one_batch_of_all_its_samples(stepped, sizes):
    weights, loss = stepped(*sizes)
    whole_weights, whole_loss = stepped(16)
    torch.testing.assert_close(weights, whole_weights, rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(loss, whole_loss, rtol=1e-6, atol=1e-6)
    assert loss.shape == ()
    assert not loss.requires_grad


def test_the_last_window_of_an_epoch_may_be_shorter():
    assert list(windows(range(10), 4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


class OneWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, inputs):
        return self.weight.expand(len(inputs))


def slope_of_one(outputs, targets):
    return -outputs.mean()


def ten_batches_and_a_short_one():
    return {"train": TensorDataset(torch.zeros(39, 1), torch.zeros(39))}


class Weights:
    def __init__(self):
        self.seen = []

    def on_step_end(self, run):
        self.seen.append(-float(run.loss))


def test_accumulating_ten_batches_by_four_is_three_steps_of_the_same_size(fit):
    weights = Weights()
    run = fit(
        data=gatle.Data(name=ten_batches_and_a_short_one, batch_size=4),
        model=gatle.Model(name=OneWeight),
        loss=gatle.Loss(name=slope_of_one),
        optimizer=gatle.Optimizer(name="sgd", params={"lr": 1.0, "momentum": 0.0}),
        loop=gatle.Loop(max_epochs=1, accumulate=4),
        metrics=[],
        observers=[weights],
    )
    assert (run.step, run.total_steps, run.steps_per_epoch, run.samples) == (3, 3, 3, 39)
    assert weights.seen == [0.0, 1.0, 2.0]
    saved = torch.load(run.checkpoint / "model.pt", weights_only=True)
    assert saved["weight"].tolist() == [3.0]


def test_every_group_moves_by_its_own_rate():
    weights = [nn.Parameter(torch.zeros(1)) for _ in range(2)]
    optimizer = torch.optim.SGD([{"params": [w]} for w in weights], lr=0.1)
    set_learning_rates(optimizer, (0.1, 0.01), lambda step: step / 2, 3)
    assert [group["lr"] for group in optimizer.param_groups] == pytest.approx([0.15, 0.015])
