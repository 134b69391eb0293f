"""Optimizers and learning-rate schedules of core."""

from __future__ import annotations

from gatle.optim.groups import make_groups
from gatle.optim.muon import muon
from gatle.optim.optimizers import adam, adamw, sgd
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
    "adam",
    "adamw",
    "constant",
    "cosine",
    "make_groups",
    "multistep",
    "muon",
    "one_cycle",
    "sgd",
    "step",
    "warmup_cosine",
    "warmup_stable_decay",
]
