"""Optimizers and learning-rate schedules of core."""

from __future__ import annotations

from gatle.optim.optimizers import adamw, sgd
from gatle.optim.schedules import (
    Factor,
    Span,
    constant,
    cosine,
    multistep,
    one_cycle,
    step,
    warmup_cosine,
    warmup_stable_decay,
)

__all__ = [
    "Factor",
    "Span",
    "adamw",
    "constant",
    "cosine",
    "multistep",
    "one_cycle",
    "sgd",
    "step",
    "warmup_cosine",
    "warmup_stable_decay",
]
