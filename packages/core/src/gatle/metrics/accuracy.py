"""Metrics that count. N samples, C classes."""

from __future__ import annotations

import torch
from torch import Tensor

from gatle.metrics.inputs import Targets, check_shapes


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
        check_shapes("accuracy", outputs, batch.targets)
        correct = (outputs.argmax(dim=-1) == batch.targets).sum()
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
