"""Evaluating a split: exact sums over samples, never a mean of means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch

from gatle.errors import ConfigError
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
    for name, metric in metrics.items():
        numbers |= _numbers(name, metric)
    return {f"{split}/{name}": value for name, value in numbers.items()}, samples


def _numbers(name: str, metric: Metric) -> dict[str, float]:
    """Return a metric's numbers as plain floats, which every record can hold."""
    try:
        return {key: float(value) for key, value in metric.compute().items()}
    except (TypeError, ValueError, AttributeError) as error:
        what = f"metric {name!r} must compute a dict of numbers: {error}"
        raise ConfigError(
            what, fix="return for example {'accuracy': 0.9} from compute()"
        ) from error
