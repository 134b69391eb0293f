"""Assembling, training and evaluating."""

from __future__ import annotations

from gatle.trainer.api import start, train
from gatle.trainer.evaluation import Evaluation, evaluate
from gatle.trainer.rehearsal import Rehearsal, rehearse
from gatle.trainer.trainer import Batch, Classification, Trainer

__all__ = [
    "Batch",
    "Classification",
    "Evaluation",
    "Rehearsal",
    "Trainer",
    "evaluate",
    "rehearse",
    "start",
    "train",
]
