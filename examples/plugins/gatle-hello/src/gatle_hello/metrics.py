"""The mean margin. N samples, C classes."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from gatle import Batch
from gatle_hello.losses import leads


class Margin:
    """The mean lead of the true class over the best other class, over all samples.

    The sum is in float64 and stays on the device; nothing waits for it before `compute`.
    """

    higher_is_better = True

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._sum: Tensor | None = None
        self._count = 0

    def update(self, outputs: Tensor, batch: Batch) -> None:
        """Count a batch of `outputs[N, C]`."""
        total = leads(outputs, batch.targets).double().sum()
        self._sum = total if self._sum is None else self._sum + total
        self._count += len(batch.targets)

    def state(self) -> dict[str, Tensor]:
        """Return sums that add up over batches and processes."""
        total = torch.zeros((), dtype=torch.float64) if self._sum is None else self._sum
        return {"sum": total, "count": torch.tensor(self._count)}

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Take sums that were added up."""
        self._sum = state["sum"]
        self._count = int(state["count"])

    def compute(self) -> dict[str, float]:
        """Return the mean margin; NaN if nothing was counted."""
        if self._sum is None or not self._count:
            return {"margin": math.nan}
        return {"margin": self._sum.item() / self._count}
