"""Evaluating a split: exact sums over samples, never a mean of means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch

from gatle.metrics import Metric
from gatle.trainer.precision import Precision
from gatle.trainer.trainer import Trainer


@torch.no_grad()
def evaluate_split(
    trainer: Trainer,
    batches: Iterable[Any],
    metrics: Mapping[str, Metric],
    *,
    split: str,
    precision: Precision,
) -> tuple[dict[str, float], int]:
    """Return the numbers of a split by name, as `valid/loss`, and how many samples they are of.

    The model is put into evaluation mode and back.
    """
    was_training = trainer.model.training
    trainer.model.eval()
    for metric in metrics.values():
        metric.reset()
    loss_sum = torch.zeros((), dtype=torch.float64, device=trainer.device)
    samples = 0
    for raw in batches:
        batch = trainer.prep_batch(trainer.to_device(raw), split=split)
        with precision.autocast():
            outputs = trainer.forward(batch)
            loss = trainer.compute_loss(outputs, batch)
        loss_sum += loss.double() * batch.size
        samples += batch.size
        for metric in metrics.values():
            metric.update(outputs, batch)
    trainer.model.train(was_training)
    numbers = {"loss": loss_sum.item() / samples if samples else float("nan")}
    for metric in metrics.values():
        numbers |= metric.compute()
    return {f"{split}/{name}": value for name, value in numbers.items()}, samples
