"""Losses over classes. N samples, C classes."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from gatle.errors import ConfigError


def cross_entropy(logits: Tensor, targets: Tensor, *, label_smoothing: float = 0.0) -> Tensor:
    """Return the mean cross-entropy of `logits[N, C]` and `targets[N]` as a 0-d tensor.

    Args:
        logits: Unnormalized scores `[N, C]`.
        targets: Class numbers `[N]`, whole numbers from 0 to C - 1.
        label_smoothing: The share of probability spread evenly over the classes (Szegedy et al.,
            2016, https://arxiv.org/abs/1512.00567).

    Raises:
        ConfigError: If the shapes do not fit each other.
    """
    if logits.ndim != 2 or targets.shape != logits.shape[:1]:
        what = (
            f"cross-entropy expects logits[N, C] and targets[N], "
            f"got {tuple(logits.shape)} and {tuple(targets.shape)}"
        )
        raise ConfigError(what, fix="check what the model returns and what prep_batch gives it")
    if targets.dtype is not torch.int64:
        targets = targets.to(torch.int64)
    return functional.cross_entropy(logits, targets, label_smoothing=label_smoothing)
