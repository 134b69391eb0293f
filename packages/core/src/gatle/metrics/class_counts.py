"""Exact counts per class, from which macro averages are made. N samples, C classes."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from gatle.metrics.inputs import Targets, check_shapes


class ClassCounts:
    """Three counts per class: hits, targets and predictions, each `int64[C]`.

    They stay on the device; nothing waits for it before `compute`. C is the larger of
    `num_classes` and the widest outputs so far. A target outside 0 to C - 1, as -100 for a sample
    that the loss ignores, belongs to no class: its sample counts among the predictions alone.

    Args:
        num_classes: The number of classes, if the data set knows it.

    Attributes:
        name: What messages call the metric.
    """

    name = "class-counts"

    def __init__(self, *, num_classes: int | None = None) -> None:
        self._num_classes = num_classes or 0
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._counts: Tensor | None = None

    def update(self, outputs: Tensor, batch: Targets) -> None:
        """Count a batch of `outputs[N, C]`.

        Raises:
            ConfigError: If its targets are not one class number per sample.
        """
        check_shapes(self.name, outputs, batch.targets)
        predicted = outputs.argmax(dim=-1).flatten()
        targets = batch.targets.flatten().to(torch.int64)
        classes = max(self._num_classes, outputs.shape[-1])
        counts = count_classes(predicted, targets, classes=classes)
        self._counts = counts if self._counts is None else _sum(self._counts, counts)

    def state(self) -> dict[str, Tensor]:
        """Return `int64[C]` counts that add up over batches and ranks."""
        counts = self._counts
        if counts is None:  # 0-d zeros, if C is not known, add nothing to vectors of any length
            size = (3, self._num_classes) if self._num_classes else (3,)
            counts = torch.zeros(size, dtype=torch.int64)
        return {"hits": counts[0], "targets": counts[1], "predictions": counts[2]}

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Take counts that were added up."""
        rows = [state[key].reshape(-1) for key in ("hits", "targets", "predictions")]
        self._counts = torch.stack(rows)

    def totals(self) -> Tensor:
        """Return the counts as `float64[3, C]` on the CPU: hits, targets, predictions."""
        if self._counts is None:
            return torch.zeros(3, self._num_classes, dtype=torch.float64)
        return self._counts.cpu().double()


def count_classes(predicted: Tensor, targets: Tensor, *, classes: int) -> Tensor:
    """Return `int64[3, classes]` counts of the hits, of `targets[N]` and of `predicted[N]`.

    `torch.bincount` would wait for a CUDA device, to read the largest number; this does not.
    """
    exists = (targets >= 0) & (targets < classes)
    counts = torch.zeros(3, classes, dtype=torch.int64, device=predicted.device)
    counts[0].scatter_add_(0, predicted, (predicted == targets).to(torch.int64))
    counts[1].scatter_add_(0, targets.clamp(0, classes - 1), exists.to(torch.int64))
    counts[2].scatter_add_(0, predicted, torch.ones_like(predicted))
    return counts


def _sum(first: Tensor, second: Tensor) -> Tensor:
    """Return the sum of `[3, C]` and `[3, D]`, the narrower one filled up with zeros."""
    width = max(first.shape[1], second.shape[1])
    return _widened(first, width) + _widened(second, width)


def _widened(counts: Tensor, width: int) -> Tensor:
    missing = width - counts.shape[1]
    return functional.pad(counts, (0, missing)) if missing else counts
