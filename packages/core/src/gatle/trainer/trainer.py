"""The trainer: what a user overrides, each thing in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn

from gatle.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A batch as the trainer sees it.

    Attributes:
        inputs: What the model is called with: a tensor, a tuple of positional arguments, or a
            mapping of keyword arguments.
        targets: What the loss and the metrics compare with.
        size: The number of samples; by default the length of the first tensor found.
    """

    inputs: Any
    targets: Any = None
    size: int = field(default=0)

    def __post_init__(self) -> None:
        if not self.size:
            object.__setattr__(self, "size", _length(self.inputs))


class Trainer:
    """Trains one model on one task; a subclass says what a batch is with `prep_batch`.

    Attributes:
        model: The model, on its device.
        loss_function: The loss, called with outputs and targets.
        device: Where the model is.
    """

    def __init__(
        self,
        *,
        model: nn.Module,
        loss_function: Callable[[Any, Any], Tensor],
        device: torch.device,
    ) -> None:
        self.model = model
        self.loss_function = loss_function
        self.device = device

    def prep_batch(self, batch: Any, *, split: str) -> Batch:
        """Turn what the loader yields into a `Batch`. The one method a task must write.

        Args:
            batch: A batch from the loader, already on the device.
            split: `train`, `valid` or `test`.
        """
        message = f"{type(self).__name__} must define prep_batch(batch, *, split) -> gatle.Batch"
        raise NotImplementedError(message)

    def forward(self, batch: Batch) -> Any:
        """Return what the model makes of a batch."""
        inputs = batch.inputs
        if isinstance(inputs, Tensor):
            return self.model(inputs)
        if isinstance(inputs, Mapping):
            return self.model(**inputs)
        return self.model(*inputs) if isinstance(inputs, tuple) else self.model(inputs)

    def compute_loss(self, outputs: Any, batch: Batch) -> Tensor:
        """Return the mean loss over the samples of a batch, a 0-d tensor."""
        return self.loss_function(outputs, batch.targets)

    def to_device(self, value: Any) -> Any:
        """Move tensors, at any depth, to the trainer's device; loaders leave them on the CPU."""
        if self.device.type == "cpu":
            return value
        if isinstance(value, Tensor):
            return value.to(self.device, non_blocking=True)
        if isinstance(value, Mapping):
            return {key: self.to_device(item) for key, item in value.items()}
        if isinstance(value, tuple | list):
            moved = [self.to_device(item) for item in value]
            return type(value)(*moved) if hasattr(value, "_fields") else type(value)(moved)
        return value


class Classification(Trainer):
    """Samples with one class each: batches are `(inputs, targets[N])`."""

    def prep_batch(self, batch: Any, *, split: str) -> Batch:
        """Take the two parts of a batch.

        Raises:
            ConfigError: If a batch has another form.
        """
        if not isinstance(batch, tuple | list) or len(batch) != 2:
            what = (
                f"the task 'classification' expects batches (inputs, targets), got {_form(batch)}"
            )
            raise ConfigError(what, fix="return pairs, or write a task with its own prep_batch")
        return Batch(inputs=batch[0], targets=batch[1])


def _length(value: Any) -> int:
    """Return the length of the first tensor, at any depth; 1 if there is none."""
    if isinstance(value, Tensor):
        return len(value) if value.ndim else 1
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple | list) and value:
        return _length(value[0])
    return 1


def _form(batch: Any) -> str:
    if isinstance(batch, tuple | list):
        return f"a {type(batch).__name__} of {len(batch)}"
    return f"a {type(batch).__name__}"
