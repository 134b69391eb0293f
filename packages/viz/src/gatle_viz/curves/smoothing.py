"""Smoothing and thinning of series; pure functions of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_FEWEST = 30
_SHORTEST = 2.5
_LONGEST = 50.0
_SHARE = 0.02


def weight_for(count: int) -> float:
    """Return the smoothing weight for a series of `count` values; 0 leaves few values alone.

    The mean reaches back over a fiftieth of the series, between 2.5 and 50 values.
    """
    if count < _FEWEST:
        return 0.0
    reach = min(max(count * _SHARE, _SHORTEST), _LONGEST)
    return round(1 - 1 / reach, 2)


def debiased_mean(values: Numbers, *, weight: float) -> Numbers:
    """Return the exponential moving mean of `values[N]`, without the pull towards 0 at its start.

    With weight w: s = s w + x, d = d w + 1, y = s / d, so y is a weighted mean of the values so
    far from the first one on (Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980). A value that
    is not finite is left out and gives NaN at its place, so that a gap stays one.

    Args:
        values: The values `[N]`.
        weight: From 0, no smoothing, to below 1.
    """
    smooth = np.full_like(values, np.nan)
    total = norm = 0.0
    for i, value in enumerate(values.tolist()):
        if np.isfinite(value):
            total = total * weight + value
            norm = norm * weight + 1
            smooth[i] = total / norm
    return smooth


def thin(values: Numbers, *, limit: int) -> NDArray[np.intp]:
    """Return the positions of at most about `limit` values that draw the same picture.

    Of every bucket the first, the smallest and the largest value stay, so no spike is lost; so does
    every value that is not finite, because it is a gap.
    """
    if len(values) <= limit:
        return np.arange(len(values))
    kept = [np.flatnonzero(~np.isfinite(values)), np.array([len(values) - 1])]
    for bucket in np.array_split(np.arange(len(values)), max(limit // 3, 1)):
        finite = bucket[np.isfinite(values[bucket])]
        if len(finite):
            here = values[finite]
            kept.append(finite[[0, int(here.argmin()), int(here.argmax())]])
    return np.unique(np.concatenate(kept))
