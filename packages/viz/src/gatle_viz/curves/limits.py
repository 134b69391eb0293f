"""How high and low a panel reaches, so that one wild value does not flatten all others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_TAIL = 0.05
_REACH = 20.0
_MARGIN = 0.08


def robust_limits(values: Numbers) -> tuple[float, float] | None:
    """Return the lower and upper limit for `values[N]`; `None` if all of them may be shown.

    A value is beyond when it lies further outside the middle nine tenths of the finite values than
    20 times the width of those, so what an ordinary curve begins with is always shown.
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, high = np.quantile(finite, [_TAIL, 1 - _TAIL])
    with np.errstate(over="ignore"):
        reach = _REACH * (high - low)
    if not 0 < reach < np.inf:
        return None
    inside = finite[(finite >= low - reach) & (finite <= high + reach)]
    if len(inside) == len(finite):
        return None
    margin = _MARGIN * float(np.ptp(inside))
    return float(inside.min()) - margin, float(inside.max()) + margin
