"""The suite for models catches models that break a promise."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional

from gatle.testing import ModelContract


class Linear(nn.Module):
    """A linear model, which the defects are made from."""

    def __init__(self, num_classes, in_channels, image_size):
        super().__init__()
        self.head = nn.Linear(in_channels * image_size**2, num_classes)

    def forward(self, images):
        return self.head(images.flatten(1))


class Infinite(Linear):
    def forward(self, images):
        return super().forward(images) / 0


class WithSpare(Linear):
    def __init__(self, num_classes, in_channels, image_size):
        super().__init__(num_classes, in_channels, image_size)
        self.spare = nn.Linear(1, 1)


class SteepAtZero(Linear):
    def forward(self, images):
        return (super().forward(images) * 0).sqrt()


class WithHiddenTensor(Linear):
    def __init__(self, num_classes, in_channels, image_size):
        super().__init__(num_classes, in_channels, image_size)
        self.offset = torch.randn(num_classes)

    def forward(self, images):
        return super().forward(images) + self.offset


class OwnGenerator(Linear):
    def __init__(self, num_classes, in_channels, image_size):
        super().__init__(num_classes, in_channels, image_size)
        generator = torch.Generator()
        generator.seed()
        nn.init.normal_(self.head.bias, generator=generator)


class AlwaysDropping(Linear):
    def forward(self, images):
        return functional.dropout(super().forward(images), training=True)


class Counting(Linear):
    def __init__(self, num_classes, in_channels, image_size):
        super().__init__(num_classes, in_channels, image_size)
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, images):
        self.calls += 1
        return super().forward(images)


class Centred(Linear):
    def forward(self, images):
        return super().forward(images - images.mean(0))


class InPlace(Linear):
    def forward(self, images):
        return super().forward(images.mul_(2))


DEFECTS = [
    ("test_is_a_module", lambda num_classes: print, "returned a builtin_function_or_method"),
    ("test_is_a_module", lambda num_classes: nn.Flatten(), "has no parameters"),
    (
        "test_outputs_have_the_right_shape",
        lambda in_channels, image_size: Linear(10, in_channels, image_size),
        r"inputs \(4, 3, 16, 16\) give outputs \(4, 10\), expected \(4, 7\)",
    ),
    ("test_outputs_have_the_right_shape", Infinite, "outputs are not finite"),
    ("test_gradient_reaches_every_parameter", WithSpare, "reaches spare.weight, spare.bias"),
    ("test_gradient_reaches_every_parameter", SteepAtZero, "not finite at head.weight"),
    ("test_state_survives_a_checkpoint", WithHiddenTensor, "outputs differ after its state"),
    ("test_seed_decides_the_weights", OwnGenerator, "the same seed gives different head.bias"),
    ("test_evaluation_is_deterministic", AlwaysDropping, "two calls give different outputs"),
    ("test_evaluation_is_deterministic", Counting, "evaluating it changed calls"),
    ("test_samples_do_not_mix_in_evaluation", Centred, "alone in its batch"),
    ("test_inputs_are_left_alone", InPlace, "changed the inputs"),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(ModelContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(ModelContract, DEFECTS)


class TestLinear(ModelContract):
    """The model that the defects are made from has none."""

    name = "planted"
    module = "planted_plugin"

    @pytest.fixture(autouse=True)
    def _planted(self, plant):
        plant(ModelContract, Linear)
