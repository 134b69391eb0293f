"""Metrics of core, and what a metric is."""

from __future__ import annotations

from typing import Any, Protocol

from torch import Tensor

from gatle.metrics.accuracy import Accuracy


class Metric(Protocol):
    """Numbers over a split whose state is additive over samples, batches and ranks."""

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


__all__ = ["Accuracy", "Metric"]
