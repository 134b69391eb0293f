"""Evaluating a split: exact sums over samples, never a mean of means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import torch
from torch import Tensor

from gatle.errors import ConfigError
from gatle.metrics import Metric, reduce_states
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

    Every rank evaluates its own batches, and returns the numbers of all samples together. The model
    is put into evaluation mode and back.
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
    total_loss, samples = _over_ranks(loss_sum, samples, metrics)
    numbers = {"loss": total_loss / samples if samples else float("nan")}
    for name, metric in metrics.items():
        found = _numbers(name, metric)
        _refuse_twice(name, found.keys() & numbers.keys())
        numbers |= found
    return {f"{split}/{name}": value for name, value in numbers.items()}, samples


def _refuse_twice(metric: str, twice: Set[str]) -> None:
    if twice:
        what = f"metric {metric!r} gives a number called {min(twice)!r}, which is there already"
        raise ConfigError(what, fix="give it another name in what compute() returns")


def _over_ranks(loss_sum: Tensor, samples: int, metrics: Mapping[str, Metric]) -> tuple[float, int]:
    """Return the loss sum and the samples of all ranks, and give the metrics the states of all."""
    states = {name: metric.state() for name, metric in metrics.items()}
    flat = {f"{name}.{key}": state[key] for name, state in states.items() for key in state}
    flat |= {"loss_sum": loss_sum, "samples": torch.tensor(samples)}
    total = reduce_states(flat, device=loss_sum.device)
    for name, state in states.items():
        metrics[name].load_state({key: total[f"{name}.{key}"] for key in state})
    return total["loss_sum"].item(), int(total["samples"])


def _numbers(name: str, metric: Metric) -> dict[str, float]:
    """Return a metric's numbers as plain floats, which every record can hold."""
    try:
        return {key: float(value) for key, value in metric.compute().items()}
    except ConfigError:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        what = f"metric {name!r} must compute a dict of numbers: {error}"
        raise ConfigError(
            what, fix="return for example {'accuracy': 0.9} from compute()"
        ) from error
