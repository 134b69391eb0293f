"""The suite for optimizers catches optimizers that break a promise."""

from __future__ import annotations

import gc

import pytest
import torch
from torch import nn

from gatle.testing import OptimizerContract


class Descent(torch.optim.Optimizer):
    """Plain descent, which the defects are made from."""

    def __init__(self, groups, lr=0.1):
        super().__init__(groups, {"lr": lr})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                self.move(parameter, group["lr"])

    def move(self, parameter, lr):
        if parameter.grad is not None:
            parameter.sub_(parameter.grad, alpha=lr)


class Ascent(Descent):
    def move(self, parameter, lr):
        super().move(parameter, -lr)


class Idle(Descent):
    def move(self, parameter, lr):
        pass


class Everywhere(Descent):
    @torch.no_grad()
    def step(self):
        for item in gc.get_objects():
            if type(item) is nn.Parameter:
                self.move(item, 0.1)


class Decaying(Descent):
    def move(self, parameter, lr):
        parameter.mul_(1 - lr)


class OwnRate(Descent):
    def move(self, parameter, lr):
        super().move(parameter, 0.1)


class HiddenMomentum(Descent):
    def __init__(self, groups, lr=0.1):
        super().__init__(groups, lr)
        self.momentum = 0.0

    def move(self, parameter, lr):
        self.momentum = self.momentum * 0.9 + parameter.grad
        parameter.sub_(self.momentum, alpha=lr)


class Noisy(Descent):
    def move(self, parameter, lr):
        super().move(parameter, lr)
        parameter.add_(torch.randn_like(parameter), alpha=1e-3)


def flattened(groups):
    parameters = [p for g in groups for p in (g["params"] if isinstance(g, dict) else [g])]
    return Descent(parameters)


DEFECTS = [
    ("test_is_an_optimizer_of_torch", lambda groups: object(), "returned a object"),
    ("test_is_an_optimizer_of_torch", lambda groups: Descent(groups, lr=0.0), r"lr = \[0.0\]"),
    ("test_decreases_a_quadratic", Ascent, "the square went from"),
    ("test_moves_only_what_it_was_given", Everywhere, "moved what it was not given"),
    ("test_moves_only_what_it_was_given", Idle, "moved nothing"),
    ("test_leaves_parameters_without_gradient", Decaying, "moved a parameter without a gradient"),
    ("test_groups_keep_their_own_rate", flattened, "a group with lr = 0.0123 got lr = 0.1"),
    ("test_rate_of_zero_moves_nothing", OwnRate, "moved with lr = 0"),
    ("test_state_survives_a_checkpoint", HiddenMomentum, "after loading its state it differs by"),
    ("test_is_deterministic", Noisy, "took different steps"),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(OptimizerContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(OptimizerContract, DEFECTS)


class TestDescent(OptimizerContract):
    """The optimizer that the defects are made from has none."""

    name = "planted"
    module = "planted_plugin"

    @pytest.fixture(autouse=True)
    def _planted(self, plant):
        plant(OptimizerContract, Descent)
