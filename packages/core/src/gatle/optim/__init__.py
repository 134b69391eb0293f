"""Optimizers and learning-rate schedules of core."""

from __future__ import annotations

from gatle.optim.optimizers import adamw, sgd
from gatle.optim.schedules import Factor, Span, constant, cosine, warmup_cosine

__all__ = ["Factor", "Span", "adamw", "constant", "cosine", "sgd", "warmup_cosine"]
