"""What the accuracies have in common: a share of samples, counted exactly."""

from __future__ import annotations

import torch
from torch import Tensor


class Share:
    """The share of samples of which something is true.

    Counts stay on the device; nothing waits for it before `compute`.

    Args:
        name: The name of its number.
    """

    higher_is_better = True

    def __init__(self, name: str) -> None:
        self._name = name
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._true: Tensor | None = None
        self._count = 0

    def add(self, is_true: Tensor) -> None:
        """Count the samples of a batch, given for each of which it is true, `bool[N]`."""
        true = is_true.sum()
        self._true = true if self._true is None else self._true + true
        self._count += is_true.numel()

    def state(self) -> dict[str, Tensor]:
        """Return counts that add up over batches and ranks."""
        true = torch.zeros((), dtype=torch.int64) if self._true is None else self._true
        return {"correct": true, "count": torch.tensor(self._count)}

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Take counts that were added up."""
        self._true = state["correct"]
        self._count = int(state["count"])

    def compute(self) -> dict[str, float]:
        """Return the share; NaN if nothing was counted."""
        if self._true is None or not self._count:
            return {self._name: float("nan")}
        return {self._name: int(self._true) / self._count}
