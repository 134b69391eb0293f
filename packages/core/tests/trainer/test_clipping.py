"""Bounds on gradients, against torch's own functions and by hand."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional

import gatle
from gatle.trainer import Batch, Classification
from gatle.trainer.clipping import Clipper
from gatle.trainer.precision import Precision
from gatle.trainer.step import make_step

CPU = torch.device("cpu")


@pytest.fixture
def stepped():
    """A function that takes one step of SGD with rate 1; returns how the weights moved."""

    def run(*, scaler=None, sizes=(16,), spoil=False, fused=False, **bounds):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
        inputs, targets = 30 * torch.randn(16, 3), torch.randint(4, (16,))
        inputs = inputs / 0 if spoil else inputs
        optimizer = torch.optim.SGD(model.parameters(), lr=1.0, fused=fused)
        trainer = Classification(model=model, loss_function=functional.cross_entropy, device=CPU)
        precision = Precision(name="fp32", device_type="cpu", scaler=scaler)
        clipper = Clipper(optimizer, **bounds) if bounds else None
        before = nn.utils.parameters_to_vector(model.parameters()).detach()
        step = make_step(trainer, optimizer, precision, clipper)
        cuts = zip(inputs.split(list(sizes)), targets.split(list(sizes)), strict=True)
        step([Batch(inputs=a, targets=b) for a, b in cuts])
        moved = nn.utils.parameters_to_vector(model.parameters()).detach() - before
        return moved, clipper and clipper.total_norm

    return run


def scaler(scale=65536.0):
    return torch.amp.GradScaler("cpu", init_scale=scale)


def by_hand(*, norm=None, value=None):
    """Return the gradient of the same step, clipped with torch's functions, and its norm before."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 4))
    inputs, targets = 30 * torch.randn(16, 3), torch.randint(4, (16,))
    functional.cross_entropy(model(inputs), targets).backward()
    weights = nn.utils.parameters_to_vector(model.parameters()).detach()
    before = nn.utils.get_total_norm([p.grad for p in model.parameters()])
    if value is not None:
        nn.utils.clip_grad_value_(model.parameters(), value)
    if norm is not None:
        assert nn.utils.clip_grad_norm_(model.parameters(), norm) > norm
    for parameter in model.parameters():
        parameter.data -= parameter.grad
    return nn.utils.parameters_to_vector(model.parameters()).detach() - weights, before


@pytest.mark.parametrize("bounds", [{"norm": 0.5}, {"value": 0.01}, {"norm": 0.1, "value": 0.05}])
def test_clipping_is_torchs_value_first_and_norm_second(stepped, bounds):
    moved, _ = stepped(**bounds)
    expected, _ = by_hand(**bounds)
    assert torch.equal(moved, expected)


@pytest.mark.parametrize("bounds", [{"norm": 0.1}, {"norm": 0.1, "value": 0.05}])
@pytest.mark.parametrize("scale", [None, 65536.0])
def test_the_norm_that_is_kept_is_that_of_the_unscaled_gradient_before_clipping(
    stepped, bounds, scale
):
    moved, norm = stepped(scaler=scale and scaler(scale), **bounds)
    _, before = by_hand()
    assert norm.shape == ()
    assert not norm.requires_grad
    assert before > 0.5
    assert torch.equal(norm, before)
    assert 0 < moved.norm() <= 0.1 * (1 + 1e-5)


def test_a_gradient_within_its_bounds_is_not_touched(stepped):
    free, nothing = stepped()
    bounded, norm = stepped(norm=1e6, value=1e6)
    assert torch.equal(free, bounded)
    assert (nothing, norm > 0) == (None, True)


def test_the_norm_alone_can_be_kept(stepped):
    free, _ = stepped()
    watched, norm = stepped(keep_norm=True)
    assert torch.equal(watched, free)
    assert torch.equal(norm, by_hand()[1])
    assert stepped(value=1.0)[1] is None


def test_a_window_is_clipped_once_and_as_a_whole(stepped):
    moved, norm = stepped(norm=0.5, sizes=(5, 5, 6))
    whole, whole_norm = stepped(norm=0.5)
    torch.testing.assert_close(moved, whole, rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(norm, whole_norm, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("fused", [False, True])
def test_a_scale_of_65536_with_a_bound_of_one_moves_by_at_most_one(stepped, fused):
    moved, norm = stepped(scaler=scaler(), norm=1.0, fused=fused)
    assert norm > 1.0
    assert 0 < moved.norm() <= 1.0 + 1e-5
    torch.testing.assert_close(moved, by_hand(norm=1.0)[0])


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("bounds", [{}, {"norm": 1.0}, {"value": 1.0}])
def test_a_step_that_overflows_moves_nothing_and_lowers_the_scale(stepped, bounds, fused):
    scale = scaler()
    moved, _ = stepped(scaler=scale, spoil=True, fused=fused, **bounds)
    assert torch.equal(moved, torch.zeros_like(moved))
    assert scale.get_scale() == 32768.0


class Logs:
    def __init__(self):
        self.seen = []

    def on_log(self, run):
        self.seen.append(run.logs.get("grad_norm"))


@pytest.mark.parametrize(
    ("sections", "recorded"),
    [
        ({}, False),
        ({"optimizer": gatle.Optimizer(name="sgd", clip_value=1.0)}, False),
        ({"optimizer": gatle.Optimizer(name="sgd", clip_norm=1e-3)}, True),
        ({"loop": gatle.Loop(max_epochs=1, log_every=1, log_grad_norm=True)}, True),
    ],
)
def test_the_norm_is_in_the_record_where_it_is_known(fit, sections, recorded):
    logs = Logs()
    fit(observers=[logs], **sections)
    assert len(logs.seen) == 3
    assert all(norm > 1e-3 for norm in logs.seen) if recorded else logs.seen == [None] * 3
