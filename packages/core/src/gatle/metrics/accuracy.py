"""Metrics that count. N samples, C classes."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from gatle.errors import ConfigError


class Targets(Protocol):
    """The part of a batch that a metric reads."""

    @property
    def targets(self) -> Tensor:
        """The class numbers `[N]`."""
        ...


class Accuracy:
    """The share of samples whose highest score is at their class, counted exactly.

    Counts stay on the device; nothing waits for it before `compute`.
    """

    higher_is_better = True

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._correct: Tensor | None = None
        self._count = 0

    def update(self, outputs: Tensor, batch: Targets) -> None:
        """Count a batch of `outputs[N, C]`.

        Raises:
            ConfigError: If its targets are not one class number per sample.
        """
        predicted = outputs.argmax(dim=-1)
        if predicted.shape != batch.targets.shape:
            what = (
                f"accuracy expects outputs[N, C] and targets[N], "
                f"got {tuple(outputs.shape)} and {tuple(batch.targets.shape)}"
            )
            raise ConfigError(what, fix="check what the model returns and what prep_batch gives it")
        correct = (predicted == batch.targets).sum()
        self._correct = correct if self._correct is None else self._correct + correct
        self._count += batch.targets.numel()

    def state(self) -> dict[str, Tensor]:
        """Return counts that add up over batches and ranks."""
        correct = torch.zeros((), dtype=torch.int64) if self._correct is None else self._correct
        return {"correct": correct, "count": torch.tensor(self._count)}

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Take counts that were added up."""
        self._correct = state["correct"]
        self._count = int(state["count"])

    def compute(self) -> dict[str, float]:
        """Return the accuracy; NaN if nothing was counted."""
        if self._correct is None or not self._count:
            return {"accuracy": float("nan")}
        return {"accuracy": int(self._correct) / self._count}
