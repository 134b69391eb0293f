"""Assembling, training and evaluating."""

from __future__ import annotations

from gatle.trainer.api import Evaluation, evaluate, start, train
from gatle.trainer.trainer import Batch, Classification, Trainer

__all__ = ["Batch", "Classification", "Evaluation", "Trainer", "evaluate", "start", "train"]
