"""The multi-class hinge loss. N samples, C classes."""

from __future__ import annotations

import math

import torch
from torch import Tensor

import gatle


def hinge(logits: Tensor, targets: Tensor, *, margin: float = 1.0) -> Tensor:
    """Return the mean multi-class hinge loss of `logits[N, C]` and `targets[N]` as a 0-d tensor.

    For each sample `max(0, margin - lead)`, where `lead` is how far the true class is ahead of the
    best other class: Crammer and Singer, On the Algorithmic Implementation of Multiclass
    Kernel-based Vector Machines, JMLR 2:265-292, 2001,
    https://www.jmlr.org/papers/v2/crammer01a.html. Their margin is 1; here it is a parameter.

    Args:
        logits: Scores `[N, C]` of at least two classes.
        targets: Class numbers `[N]`, whole numbers from 0 to C - 1.
        margin: The lead from which on a sample costs nothing.

    Raises:
        gatle.ConfigError: If the shapes do not fit each other.
    """
    return (margin - leads(logits, targets)).clamp(min=0).mean()


def leads(logits: Tensor, targets: Tensor) -> Tensor:
    """Return `float[N]`: the score of the true class minus the best of the other classes.

    Args:
        logits: Scores `[N, C]` of at least two classes.
        targets: Class numbers `[N]`.

    Raises:
        gatle.ConfigError: If the shapes do not fit each other.
    """
    if logits.ndim != 2 or logits.shape[1] < 2 or targets.shape != logits.shape[:1]:
        what = (
            f"hinge and margin expect logits[N, C] of at least two classes and targets[N], "
            f"got {tuple(logits.shape)} and {tuple(targets.shape)}"
        )
        raise gatle.ConfigError(what, fix="check the model's outputs and what prep_batch returns")
    # Differences of bfloat16 scores lose most of their digits.
    scores = logits.to(torch.promote_types(logits.dtype, torch.float32))
    column = targets.to(torch.int64).unsqueeze(1)
    own = scores.gather(1, column).squeeze(1)
    return own - scores.scatter(1, column, -math.inf).amax(dim=1)
