"""Accuracy among the best k classes. N samples, C classes."""

from __future__ import annotations

import torch
from torch import Tensor

from gatle.errors import ConfigError
from gatle.metrics.inputs import Targets, check_shapes
from gatle.metrics.share import Share


class TopKAccuracy(Share):
    """The share of samples whose class is among the k with the highest scores, counted exactly.

    Of equal scores the one of the lower class number comes first, as it does for `accuracy`, so
    that the number is the same on every device. A score that is NaN comes before all others and
    is never right at the sample's own class. A k above the number of classes counts as all
    classes. The number is called `accuracy_top5`, or as k is.

    Args:
        k: How many classes are looked at.

    Raises:
        ConfigError: If k is not a whole number of at least 1.
    """

    def __init__(self, *, k: int = 5) -> None:
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            what = f"accuracy-top5 expects k to be a whole number of at least 1, got {k!r}"
            raise ConfigError(what, fix="write for example params = { k = 3 }")
        super().__init__(f"accuracy_top{k}")
        self._k = k

    @property
    def score_name(self) -> str:
        """The name of its number."""
        return self._name

    def update(self, outputs: Tensor, batch: Targets) -> None:
        """Count a batch of `outputs[N, C]`.

        Raises:
            ConfigError: If its targets are not one class number per sample.
        """
        check_shapes("accuracy-top5", outputs, batch.targets)
        self.add(_among_the_best(outputs, batch.targets, self._k))


def _among_the_best(outputs: Tensor, targets: Tensor, k: int) -> Tensor:
    """Return, as `bool[N]`, which `targets[N]` fewer than k classes of `outputs[N, C]` precede.

    Counting those that precede needs no order, and `torch.topk` promises none among equals.
    """
    classes = torch.arange(outputs.shape[-1], device=outputs.device)
    target = targets.to(torch.int64).unsqueeze(-1)
    own = outputs.gather(-1, target.clamp(0, len(classes) - 1))
    before = ~(outputs <= own) | ((outputs == own) & (classes < target))
    exists = (targets >= 0) & (targets < len(classes))
    return (before.sum(dim=-1) < k) & exists
