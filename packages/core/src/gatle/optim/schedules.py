"""Learning-rate schedules: functions from optimizer step to a factor on every group's own rate.

A factor leaves the ratios between parameter groups alone, so a schedule composes with any grouping.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gatle.errors import ConfigError

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
    return _warmed(span, lambda step: 1.0)


def cosine(span: Span, *, end_factor: float = 0.0) -> Factor:
    """Return half a cosine from 1 to `end_factor`, reached at the last step.

    Without restarts, after Loshchilov and Hutter, 2017 (https://arxiv.org/abs/1608.03983).
    """
    last = max(_length(span) - 1, 1)
    return _warmed(span, lambda step: _half_cosine(1.0, end_factor, step / last))


def warmup_cosine(span: Span, *, end_factor: float = 0.0) -> Factor:
    """Return a cosine after a linear warm-up, of one epoch if the config names no length."""
    return cosine(_with_default_warmup(span), end_factor=end_factor)


def step(span: Span, *, every_epochs: int = 10, gamma: float = 0.1) -> Factor:
    """Return a factor that is multiplied by `gamma` after every so many epochs.

    Raises:
        ConfigError: If `every_epochs` is not at least 1.
    """
    if every_epochs < 1:
        what = f"schedule 'step' needs every_epochs of at least 1, got {every_epochs}"
        raise ConfigError(what, fix="set schedule.params.every_epochs")
    period = every_epochs * span.steps_per_epoch
    warmup = span.warmup_steps or 0
    return _warmed(span, lambda after: float(gamma ** ((after + warmup) // period)))


def multistep(span: Span, *, milestones: Sequence[float], gamma: float = 0.1) -> Factor:
    """Return a factor that is multiplied by `gamma` at each milestone, counted in epochs."""
    steps = [round(epoch * span.steps_per_epoch) for epoch in milestones]
    warmup = span.warmup_steps or 0
    return _warmed(
        span, lambda after: float(gamma ** sum(after + warmup >= mark for mark in steps))
    )


def one_cycle(
    span: Span, *, rise: float = 0.3, start_factor: float = 0.04, end_factor: float = 4e-6
) -> Factor:
    """Return one rise to the full rate and one fall below its start, both half cosines.

    After Smith and Topin, 2018 (https://arxiv.org/abs/1708.07120), with the defaults of torch's
    OneCycleLR; it departs from both in leaving momentum alone.

    Args:
        span: What it is laid over; its warm-up, if the config names one, is the length of the rise.
        rise: The share of the steps spent rising, if the config names no warm-up.
        start_factor: The factor at the first step.
        end_factor: The factor at the last step.
    """
    last = max(span.total_steps - 1, 1)
    peak = rise * span.total_steps - 1 if span.warmup_steps is None else span.warmup_steps

    def factor(step: int) -> float:
        if step < peak:
            return _half_cosine(start_factor, 1.0, step / peak)
        return _half_cosine(1.0, end_factor, (step - peak) / max(last - peak, 1e-12))

    return factor


def warmup_stable_decay(span: Span, *, decay: float = 0.2, end_factor: float = 0.0) -> Factor:
    """Return a warm-up, a long plateau and a straight fall to `end_factor` at the last step.

    After Hu et al., 2024 (https://arxiv.org/abs/2404.06395), with a linear fall. The warm-up is one
    epoch if the config names no length.

    Args:
        span: What it is laid over.
        decay: The share of all steps spent falling.
        end_factor: The factor at the last step.
    """
    span = _with_default_warmup(span)
    last = max(_length(span) - 1, 1)
    begin = max(last - decay * span.total_steps, 0.0)

    def factor(step: int) -> float:
        if step <= begin:
            return 1.0
        return 1.0 + (end_factor - 1.0) * min((step - begin) / (last - begin), 1.0)

    return _warmed(span, factor)


def _warmed(span: Span, after: Factor) -> Factor:
    """Return a straight rise over the warm-up, then `after` counted from its end."""
    warmup = span.warmup_steps or 0
    return lambda step: (step + 1) / (warmup + 1) if step < warmup else after(step - warmup)


def _with_default_warmup(span: Span) -> Span:
    if span.warmup_steps is not None:
        return span
    return replace(span, warmup_steps=min(span.steps_per_epoch, span.total_steps // 2))


def _length(span: Span) -> int:
    """Return the number of steps after the warm-up."""
    return span.total_steps - (span.warmup_steps or 0)


def _half_cosine(start: float, end: float, progress: float) -> float:
    return end + (start - end) * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
