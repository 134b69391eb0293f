"""What gatle expects of a task. N samples, C classes."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from gatle.data.splits import SPLITS
from gatle.testing.contracts.base import RecordContract
from gatle.trainer.trainer import Batch, Trainer


class TaskContract(RecordContract):
    """The promises of a task.

    Attributes:
        samples: The number N of samples in `batch`.
    """

    kind = "tasks"
    samples: ClassVar[int] = 4

    def batch(self) -> Any:
        """Return a batch as a loader yields it: by default `(images[N, 1, 8, 8], targets[N])`."""
        generator = torch.Generator().manual_seed(0)
        images = torch.rand(self.samples, 1, 8, 8, generator=generator)
        return images, torch.arange(self.samples) % 3

    def model(self) -> nn.Module:
        """Return a model for `batch`."""
        return nn.Sequential(nn.Flatten(), nn.Linear(64, 3))

    def loss(self, outputs: Any, targets: Any) -> Tensor:
        """Return a loss `[]` of what `model` returns."""
        return functional.cross_entropy(outputs, targets)

    def trainer(self) -> Trainer:
        """Return the task around `model` and `loss`, as gatle builds it."""
        built: Trainer = self.target(
            model=self.model(), loss_function=self.loss, device=torch.device("cpu")
        )
        return built

    def test_is_a_trainer(self) -> None:
        """The target is a subclass of `gatle.Trainer`.

        If this fails, derive it from `gatle.Trainer`.
        """
        target = self.record.load()
        assert inspect.isclass(target), f"{self.label} is a {type(target).__name__}, not a class"
        assert issubclass(target, Trainer), f"{self.label} is no subclass of gatle.Trainer"

    def test_says_what_a_batch_is(self) -> None:
        """The task has its own `prep_batch`.

        If this fails, define `prep_batch(self, batch, *, split)` and return a `gatle.Batch`.
        """
        own = getattr(self.target, "prep_batch", None)
        assert own is not Trainer.prep_batch, f"{self.label} does not define prep_batch"

    def test_batches_count_their_samples(self) -> None:
        """`prep_batch` makes a `gatle.Batch` of N samples, for every split.

        If this fails, return `gatle.Batch(inputs=..., targets=...)`, and `size=` where the first
        tensor's length is not the number of samples.
        """
        for split in SPLITS:
            batch = self.trainer().prep_batch(self.batch(), split=split)
            assert isinstance(batch, Batch), (
                f"{self.label}: prep_batch returned a {type(batch).__name__} for {split}, "
                f"expected a gatle.Batch"
            )
            assert batch.size == self.samples, (
                f"{self.label}: a {split} batch of {self.samples} samples has size {batch.size}"
            )

    def test_batch_can_be_learnt_from(self) -> None:
        """A batch goes through the model to a loss `[]` with a gradient.

        If this fails, see that `forward` and `compute_loss` fit what `prep_batch` returns.
        """
        trainer = self.trainer()
        batch = trainer.prep_batch(self.batch(), split="train")
        loss = trainer.compute_loss(trainer.forward(batch), batch)
        shape = tuple(loss.shape)
        assert shape == (), f"{self.label}: the loss has the shape {shape}, expected ()"
        assert loss.requires_grad, f"{self.label}: the loss has no gradient"

    def test_evaluation_batches_are_deterministic(self) -> None:
        """Outside training, the same samples make the same inputs.

        If this fails, augment only where `split == "train"`.
        """
        for split in SPLITS[1:]:
            first, second = (
                self.trainer().prep_batch(self.batch(), split=split).inputs for _ in "ab"
            )
            assert _equal(first, second), f"{self.label}: {split} batches differ between two calls"


def _equal(first: Any, second: Any) -> bool:
    pairs = zip(_tensors(first), _tensors(second), strict=True)
    return all(torch.equal(a, b) for a, b in pairs)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return [tensor for item in items for tensor in _tensors(item)] if _is_nested(value) else []


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list | tuple)
