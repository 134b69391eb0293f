"""Accuracy among the best k classes. N samples, C classes."""

from __future__ import annotations

import torch
from torch import Tensor

from gatle.errors import ConfigError
from gatle.metrics.inputs import Targets, check_shapes


class TopKAccuracy:
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

    higher_is_better = True

    def __init__(self, *, k: int = 5) -> None:
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            what = f"accuracy-top5 expects k to be a whole number of at least 1, got {k!r}"
            raise ConfigError(what, fix="write for example params = { k = 3 }")
        self._k = k
        self.reset()

    @property
    def score_name(self) -> str:
        """The name of its number."""
        return f"accuracy_top{self._k}"

    def reset(self) -> None:
        """Forget everything."""
        self._correct: Tensor | None = None
        self._count = 0

    def update(self, outputs: Tensor, batch: Targets) -> None:
        """Count a batch of `outputs[N, C]`.

        Raises:
            ConfigError: If its targets are not one class number per sample.
        """
        check_shapes("accuracy-top5", outputs, batch.targets)
        correct = _among_the_best(outputs, batch.targets, self._k).sum()
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
            return {self.score_name: float("nan")}
        return {self.score_name: int(self._correct) / self._count}


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
