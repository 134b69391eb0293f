"""The suite for losses catches losses that break a promise."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from gatle.testing import LossContract


def by_place(outputs, targets):
    weights = torch.linspace(0, 1, len(outputs), dtype=outputs.dtype)
    return (functional.cross_entropy(outputs, targets, reduction="none") * weights).mean()


def half_cut_off(outputs, targets):
    return functional.cross_entropy(outputs, targets) + (outputs.detach() * outputs).mean()


def in_place(outputs, targets):
    return functional.cross_entropy(outputs.sub_(1), targets)


def targets_in_place(outputs, targets):
    return functional.cross_entropy(outputs, targets.clamp_(max=0))


def noisy(outputs, targets):
    return functional.cross_entropy(outputs, targets) + torch.rand(())


def broadcasting(outputs, targets):
    return (outputs - targets.unsqueeze(-1)).square().mean()


class WithLambda:
    def __init__(self):
        self.reduce = lambda values: values.mean()

    def __call__(self, outputs, targets):
        return self.reduce(functional.cross_entropy(outputs, targets, reduction="none"))


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, outputs, targets):
        self.calls += 1
        return functional.cross_entropy(outputs, targets) * self.calls


DEFECTS = [
    ("test_result_is_a_finite_scalar", lambda o, t: o.mean().item(), "returned a float"),
    ("test_result_is_a_finite_scalar", lambda o, t: o.mean(0), r"shape \(5,\), expected \(\)"),
    ("test_result_is_a_finite_scalar", lambda o, t: t.sum(), "returned torch.int64"),
    ("test_result_is_a_finite_scalar", lambda o, t: o.log().mean(), "returned nan"),
    ("test_gradient_reaches_the_outputs", lambda o, t: o.detach().mean(), "has no gradient"),
    ("test_gradient_reaches_the_outputs", lambda o, t: (o * 0).sum(), "zero everywhere"),
    ("test_gradient_reaches_the_outputs", lambda o, t: (o * 0).sqrt().sum(), "not finite"),
    ("test_gradient_agrees_with_finite_differences", half_cut_off, "is not the slope"),
    ("test_order_of_samples_does_not_matter", by_place, "shuffled give"),
    ("test_parts_make_up_the_whole", lambda o, t: o.square().sum(), "cut into two parts give"),
    (
        "test_bfloat16_stays_within_the_bound",
        lambda o, t: (o + 256 - 256).square().mean(),
        "over bfloat16_tolerance = 0.02",
    ),
    ("test_wrong_shapes_are_refused_by_name", lambda o, t: o.mean(), r"accepted .*\(8, 5\)"),
    ("test_wrong_shapes_are_refused_by_name", broadcasting, r"does not name \[\(8, 5\), \(9,\)\]"),
    ("test_inputs_are_left_alone", in_place, "changed the outputs"),
    ("test_inputs_are_left_alone", targets_in_place, "changed the targets"),
    ("test_can_be_pickled", WithLambda, "cannot be pickled"),
    ("test_is_deterministic", noisy, "for the same inputs"),
    ("test_is_deterministic", Counting, "for the same inputs"),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(LossContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(LossContract, DEFECTS)
