"""Metrics of core, and what a metric is."""

from __future__ import annotations

from typing import Any, Protocol

from torch import Tensor

from gatle.metrics.accuracy import Accuracy
from gatle.metrics.adapt import adapt
from gatle.metrics.balanced_accuracy import BalancedAccuracy
from gatle.metrics.class_counts import ClassCounts
from gatle.metrics.macro_f1 import MacroF1
from gatle.metrics.reduce import reduce_states
from gatle.metrics.top_k import TopKAccuracy


class Metric(Protocol):
    """Numbers over a split whose state is additive over samples, batches and ranks.

    A metric may also have `higher_is_better`, and `score_name`: which of its numbers decides the
    best checkpoint, where that number is not called as the metric is.
    """

    def reset(self) -> None:
        """Forget everything."""
        ...

    def update(self, outputs: Any, batch: Any) -> None:
        """Take a batch and what the model made of it."""
        ...

    def state(self) -> dict[str, Tensor]:
        """Return tensors that may be added up."""
        ...

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Take tensors that were added up."""
        ...

    def compute(self) -> dict[str, float]:
        """Return the numbers by name."""
        ...


__all__ = [
    "Accuracy",
    "BalancedAccuracy",
    "ClassCounts",
    "MacroF1",
    "Metric",
    "TopKAccuracy",
    "adapt",
    "reduce_states",
]
