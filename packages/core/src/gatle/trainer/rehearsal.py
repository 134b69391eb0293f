"""A run in small that writes nothing: everything is built, and a batch of every split used."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from torch import nn

from gatle.config import Resolved
from gatle.errors import DivergedError
from gatle.trainer.assemble import TrainingParts, assemble_training
from gatle.trainer.callbacks import evaluating
from gatle.trainer.clipping import make_clipper
from gatle.trainer.device import choose_device
from gatle.trainer.evaluate import evaluate_split
from gatle.trainer.loop import windows
from gatle.trainer.step import make_step, set_learning_rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What a run would be.

    Attributes:
        device: Where it would run.
        dtype: The number format of forward and backward.
        parameters: Numbers in the model.
        trainable: Numbers in it that are trained.
        samples: Samples of every split.
        steps_per_epoch: Optimizer steps of one epoch.
        total_steps: Optimizer steps of the run.
        losses: The loss of one batch of every split.
    """

    device: str
    dtype: str
    parameters: int
    trainable: int
    samples: Mapping[str, int]
    steps_per_epoch: int
    total_steps: int
    losses: Mapping[str, float]


def rehearse(resolved: Resolved) -> Rehearsal:
    """Build a run, take one optimizer step and evaluate one batch of every other split.

    Raises:
        ConfigError: If a component does not keep its contract.
        DivergedError: If a loss is not finite already.
    """
    parts = assemble_training(resolved, device=choose_device(resolved.config.launch.device))
    evaluation = parts.evaluation
    losses = {"train": _train(parts)}
    for split in evaluation.splits.sizes:
        if split != "train":
            losses[split] = _evaluate(parts, split)
    for split, loss in losses.items():
        if not math.isfinite(loss):
            what = f"the loss of the first {split} batch is {loss}"
            raise DivergedError(what, fix="look at the data and at the model's first outputs")
    model = evaluation.trainer.model
    return Rehearsal(
        device=str(evaluation.trainer.device),
        dtype=evaluation.precision.name,
        parameters=_count(model, trainable=False),
        trainable=_count(model, trainable=True),
        samples=evaluation.splits.sizes,
        steps_per_epoch=parts.span.steps_per_epoch,
        total_steps=parts.span.total_steps,
        losses=losses,
    )


def _train(parts: TrainingParts) -> float:
    trainer, config = parts.evaluation.trainer, parts.evaluation.resolved.config
    trainer.model.train()
    clipper = make_clipper(parts.optimizer, config)
    step = make_step(trainer, parts.optimizer, parts.evaluation.precision, clipper)
    window: list[Any] = next(windows(parts.train_loader, config.loop.accumulate))
    batches = [trainer.prep_batch(trainer.to_device(raw), split="train") for raw in window]
    set_learning_rates(parts.optimizer, parts.base_rates, parts.factor, 0)
    return float(step(batches))


def _evaluate(parts: TrainingParts, split: str) -> float:
    evaluation = parts.evaluation
    with evaluating(parts.callbacks):
        numbers, _ = evaluate_split(
            evaluation.trainer,
            islice(evaluation.loader(split), 1),
            evaluation.metrics,
            split=split,
            precision=evaluation.precision,
        )
    return numbers[f"{split}/loss"]


def _count(model: nn.Module, *, trainable: bool) -> int:
    return sum(p.numel() for p in model.parameters() if p.requires_grad or not trainable)
