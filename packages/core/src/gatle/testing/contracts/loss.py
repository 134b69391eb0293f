"""What gatle expects of a loss. N samples, C classes."""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable
from typing import ClassVar

import pytest
import torch
from torch import Tensor

from gatle.testing.contracts.base import RecordContract


class LossContract(RecordContract):
    """The promises of a loss.

    Attributes:
        num_classes: The number C of classes in `inputs`.
        samples: The number N of samples in `inputs`.
        bfloat16_tolerance: The relative error allowed to bfloat16 outputs under autocast.
    """

    kind = "losses"
    num_classes: ClassVar[int] = 5
    samples: ClassVar[int] = 9
    bfloat16_tolerance: ClassVar[float] = 0.02

    def loss(self) -> Callable[[Tensor, Tensor], Tensor]:
        """Return the loss as the trainer calls it, with outputs and targets."""
        target = self.target
        is_class = inspect.isclass(target)
        if not is_class:
            return functools.partial(target, **self.params)
        built: Callable[[Tensor, Tensor], Tensor] = target(**self.params)
        return built

    def inputs(self) -> tuple[Tensor, Tensor]:
        """Return outputs of a model and targets; by default `logits[N, C]` and classes `[N]`."""
        generator = torch.Generator().manual_seed(0)
        logits = torch.randn(self.samples, self.num_classes, generator=generator)
        targets = torch.randint(self.num_classes, (self.samples,), generator=generator)
        return logits, targets

    def wrong_inputs(self) -> list[tuple[Tensor, Tensor]]:
        """Return pairs whose shapes do not fit: a sample less, and a dimension more."""
        outputs, targets = self.inputs()
        return [(outputs[:-1], targets), (outputs, targets.unsqueeze(-1))]

    def test_result_is_a_finite_scalar(self) -> None:
        """The result is a 0-d floating tensor and finite.

        If this fails, reduce over the samples with `.mean()` and look for a logarithm or a
        division that needs a bound.
        """
        value = self.loss()(*self.inputs())
        assert isinstance(value, Tensor), f"{self.label} returned a {type(value).__name__}"
        shape = tuple(value.shape)
        assert shape == (), f"{self.label} returned the shape {shape}, expected () (a 0-d tensor)"
        assert value.is_floating_point(), f"{self.label} returned {value.dtype}, expected floats"
        assert torch.isfinite(value), f"{self.label} returned {value.item()} for ordinary inputs"

    def test_gradient_reaches_the_outputs(self) -> None:
        """The gradient with respect to the outputs exists, is finite and not zero everywhere.

        If this fails, look for `.detach()`, `.item()`, `argmax` or a comparison on the way from
        the outputs to the loss.
        """
        outputs, targets = self.inputs()
        outputs.requires_grad_()
        value = self.loss()(outputs, targets)
        assert value.requires_grad, f"{self.label} has no gradient"
        (gradient,) = torch.autograd.grad(value, outputs)
        assert torch.isfinite(gradient).all(), f"{self.label} has a gradient that is not finite"
        assert gradient.any(), f"{self.label} has a gradient of zero everywhere"

    def test_gradient_agrees_with_finite_differences(self) -> None:
        """In float64, the gradient is the slope that finite differences measure.

        If this fails, correct the `backward` of a function of your own, or remove a `.detach()`
        that cuts off a part of the loss.
        """
        outputs, targets = self._doubles()
        outputs.requires_grad_()
        loss = self.loss()
        try:
            torch.autograd.gradcheck(lambda o: loss(o, targets), (outputs,), atol=1e-6)
        except (RuntimeError, ValueError) as error:
            pytest.fail(f"{self.label}: the gradient is not the slope: {error}")

    def test_order_of_samples_does_not_matter(self) -> None:
        """Shuffling a batch leaves the loss as it is.

        If this fails, remove what treats samples by their place in the batch.
        """
        outputs, targets = self._doubles()
        order = torch.randperm(len(outputs), generator=torch.Generator().manual_seed(1))
        self._assert_equal(
            self.loss()(outputs[order], targets[order]), self.loss()(outputs, targets), "shuffled"
        )

    def test_parts_make_up_the_whole(self) -> None:
        """The parts of a batch, each weighted by its samples, give the loss of the batch.

        If this fails, average over samples: accumulation and several processes cut batches, and
        the loss must not depend on where.
        """
        outputs, targets = self._doubles()
        loss, cut, size = self.loss(), len(outputs) // 3, len(outputs)
        first, rest = loss(outputs[:cut], targets[:cut]), loss(outputs[cut:], targets[cut:])
        parts = (first * cut + rest * (size - cut)) / size
        self._assert_equal(parts, loss(outputs, targets), "cut into two parts")

    def test_bfloat16_stays_within_the_bound(self) -> None:
        """Under autocast, bfloat16 outputs give the float32 loss within `bfloat16_tolerance`.

        If this fails, compute in float32 inside the loss, or state a wider bound in the suite.
        """
        outputs, targets = self.inputs()
        exact = self.loss()(outputs, targets)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            value = self.loss()(outputs.bfloat16(), targets)
        error = abs(value.item() - exact.item()) / max(abs(exact.item()), 1e-6)
        assert error <= self.bfloat16_tolerance, (
            f"{self.label}: in bfloat16 {value.item()}, in float32 {exact.item()}; the relative "
            f"error {error:.2g} is over bfloat16_tolerance = {self.bfloat16_tolerance}"
        )

    def test_wrong_shapes_are_refused_by_name(self) -> None:
        """Shapes that do not fit raise an error that names both of them.

        If this fails, compare the shapes first and put both into the message; broadcasting would
        train on nonsense without a word.
        """
        for outputs, targets in self.wrong_inputs():
            shapes = tuple(outputs.shape), tuple(targets.shape)
            message = self._refusal(outputs, targets)
            assert message is not None, f"{self.label} accepted outputs and targets of {shapes}"
            missing = [shape for shape in shapes if str(shape) not in message]
            assert not missing, f"{self.label}: the error {message!r} does not name {missing}"

    def test_inputs_are_left_alone(self) -> None:
        """Outputs and targets are the same after the call as before.

        If this fails, replace operations in place, those whose name ends in `_`.
        """
        outputs, targets = self.inputs()
        before = outputs.clone(), targets.clone()
        self.loss()(outputs, targets)
        assert torch.equal(outputs, before[0]), f"{self.label} changed the outputs it was given"
        assert torch.equal(targets, before[1]), f"{self.label} changed the targets it was given"

    def test_can_be_pickled(self) -> None:
        """The loss survives pickling, which is how it reaches other processes.

        If this fails, define it at the top level of a module and keep open files, lambdas and
        locks out of it.
        """
        loss, inputs = self.loss(), self.inputs()
        try:
            copy = pickle.loads(pickle.dumps(loss))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            pytest.fail(f"{self.label} cannot be pickled: {error}")
        assert torch.equal(copy(*inputs), loss(*inputs)), f"{self.label}: its pickled copy differs"

    def test_is_deterministic(self) -> None:
        """The same inputs give the same bits, without seeding in between.

        If this fails, draw no random numbers in the loss, and keep no state between calls.
        """
        loss = self.loss()
        first, second = loss(*self.inputs()), loss(*self.inputs())
        assert torch.equal(first, second), (
            f"{self.label} returned {first.item()}, then {second.item()} for the same inputs"
        )

    def _doubles(self) -> tuple[Tensor, Tensor]:
        outputs, targets = self.inputs()
        return outputs.double(), targets.double() if targets.is_floating_point() else targets

    def _refusal(self, outputs: Tensor, targets: Tensor) -> str | None:
        try:
            self.loss()(outputs, targets)
        except Exception as error:  # noqa: BLE001  any error will do, if its text is right
            return str(error)
        return None

    def _assert_equal(self, value: Tensor, expected: Tensor, how: str) -> None:
        assert torch.allclose(value, expected, rtol=1e-6, atol=1e-9), (
            f"{self.label}: the same samples {how} give {value.item()}, expected {expected.item()}"
        )
