"""Learning-rate schedules: functions from optimizer step to a factor on every group's own rate.

A factor leaves the ratios between parameter groups alone, so a schedule composes with any grouping.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

Factor = Callable[[int], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The lengths a schedule is laid over, in optimizer steps.

    Attributes:
        total_steps: Steps of the whole run.
        steps_per_epoch: Steps of one epoch.
        warmup_steps: Steps of linear warm-up; `None` if the config names no length.
    """

    total_steps: int
    steps_per_epoch: int
    warmup_steps: int | None = None


def constant(span: Span) -> Factor:
    """Return a factor of 1, after the warm-up if there is one."""
    warmup = span.warmup_steps or 0
    return lambda step: _rise(step, warmup)


def cosine(span: Span, *, end_factor: float = 0.0) -> Factor:
    """Return half a cosine from 1 to `end_factor`, reached at the last step.

    Without restarts, after Loshchilov and Hutter, 2017 (https://arxiv.org/abs/1608.03983).
    """
    warmup = span.warmup_steps or 0
    length = max(span.total_steps - 1 - warmup, 1)

    def factor(step: int) -> float:
        if step < warmup:
            return _rise(step, warmup)
        progress = min((step - warmup) / length, 1.0)
        return end_factor + (1 - end_factor) * 0.5 * (1 + math.cos(math.pi * progress))

    return factor


def warmup_cosine(span: Span, *, end_factor: float = 0.0) -> Factor:
    """Return a cosine after a linear warm-up, of one epoch if the config names no length."""
    if span.warmup_steps is None:
        span = replace(span, warmup_steps=min(span.steps_per_epoch, span.total_steps // 2))
    return cosine(span, end_factor=end_factor)


def _rise(step: int, warmup: int) -> float:
    return min(1.0, (step + 1) / (warmup + 1))
