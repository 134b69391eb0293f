"""From a resolved config to the parts of a run, each checked as it is built."""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from gatle.checkpoint import Format
from gatle.config import Component, Resolved
from gatle.config.user_code import reason, user_line
from gatle.data import Loader, Splits, as_splits, make_loader
from gatle.errors import ConfigError, GatleError
from gatle.metrics import Metric
from gatle.optim import Factor, Span
from gatle.plugins import did_you_mean
from gatle.trainer.precision import Precision, decide
from gatle.trainer.trainer import Trainer


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The number that decides which checkpoint is the best."""

    name: str
    higher_is_better: bool

    def improves(self, value: float, best: float | None) -> bool:
        """Whether a value beats the best so far; a non-finite value never does."""
        if not np.isfinite(value):
            return False
        if best is None:
            return True
        return value > best if self.higher_is_better else value < best


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationParts:
    """What is needed to evaluate."""

    resolved: Resolved
    splits: Splits
    trainer: Trainer
    metrics: Mapping[str, Metric]
    precision: Precision
    format: Format

    def loader(self, split: str) -> Loader:
        """Return the batches of a split, in its own order.

        Raises:
            ConfigError: If the data set has no such split.
        """
        if split not in self.splits.sizes:
            have = ", ".join(self.splits.sizes)
            what = f"the data set has no split {split!r}{did_you_mean(split, self.splits.sizes)}"
            raise ConfigError(what, fix=f"choose one of {have}")
        data = self.resolved.config.data
        return make_loader(
            self.splits[split],
            batch_size=data.batch_size,
            seed=self.resolved.config.seed,
            workers=data.workers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingParts:
    """What is needed to train, beside what is needed to evaluate."""

    evaluation: EvaluationParts
    optimizer: torch.optim.Optimizer
    base_rates: tuple[float, ...]
    factor: Factor
    span: Span
    train_loader: Loader
    eval_loaders: Mapping[str, Loader]
    score: Score | None


def assemble_evaluation(resolved: Resolved, *, device: torch.device) -> EvaluationParts:
    """Build data, model, loss and metrics.

    Raises:
        ConfigError: If a component does not keep its contract.
    """
    seed_everything(resolved.config.seed)
    parts = resolved.components
    splits = as_splits(build(parts["data"]), name=parts["data"].name)
    model = build(parts["model"], **parts["model"].offers(splits.facts))
    _expect(parts["model"], model, nn.Module)
    loss = _loss_function(parts["loss"])
    trainer_class = parts["task"].target
    if not (inspect.isclass(trainer_class) and issubclass(trainer_class, Trainer)):
        what = f"task {parts['task'].name!r} is not a subclass of gatle.Trainer"
        raise ConfigError(what, fix="derive it from gatle.Trainer")
    if isinstance(loss, nn.Module):
        loss = loss.to(device)
    return EvaluationParts(
        resolved=resolved,
        splits=splits,
        trainer=build(parts["task"], model=model.to(device), loss_function=loss, device=device),
        metrics=_metrics(resolved, splits),
        precision=decide(resolved.config.precision.dtype, device=device),
        format=build(parts["checkpoint"]),
    )


def assemble_training(resolved: Resolved, *, device: torch.device) -> TrainingParts:
    """Build everything a training run needs.

    Raises:
        ConfigError: If a component does not keep its contract.
    """
    evaluation = assemble_evaluation(resolved, device=device)
    config = resolved.config
    train_loader = make_loader(
        evaluation.splits.train,
        batch_size=config.data.batch_size,
        seed=config.seed,
        shuffle=True,
        workers=config.data.workers,
        drop_last=config.data.drop_last,
    )
    parameters = [p for p in evaluation.trainer.model.parameters() if p.requires_grad]
    optimizer = build(resolved.components["optimizer"], parameters)
    _expect(resolved.components["optimizer"], optimizer, torch.optim.Optimizer)
    span = _span(resolved, len(train_loader))
    return TrainingParts(
        evaluation=evaluation,
        optimizer=optimizer,
        base_rates=tuple(float(group["lr"]) for group in optimizer.param_groups),
        factor=_factor(resolved.components["schedule"], span),
        span=span,
        train_loader=train_loader,
        eval_loaders={
            split: evaluation.loader(split)
            for split in ("valid",)
            if split in evaluation.splits.sizes
        },
        score=_score(resolved, evaluation),
    )


def build(component: Component, *arguments: Any, **offered: Any) -> Any:
    """Call a component's target with its parameters.

    Raises:
        ConfigError: If it raises; the message names the line of the code that did.
    """
    try:
        return component.target(*arguments, **offered, **component.params)
    except GatleError:
        raise
    except Exception as error:
        what = f"building {component.path} {component.name!r} failed: {reason(error)}"
        place = user_line(error)
        raise ConfigError(what, where=place and f"At {place}") from error


def seed_everything(seed: int) -> None:
    """Seed the global generators of Python, numpy and torch."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def _loss_function(component: Component) -> Callable[..., torch.Tensor]:
    if inspect.isclass(component.target):
        loss: Callable[..., torch.Tensor] = build(component)
        return loss
    if not component.params:
        return component.target
    return functools.partial(component.target, **component.params)


def _metrics(resolved: Resolved, splits: Splits) -> dict[str, Metric]:
    metrics: dict[str, Metric] = {}
    for component in resolved.metrics:
        if component.short_name in metrics:
            what = f"two metrics are called {component.short_name!r}"
            raise ConfigError(what, where=f"In {component.path}", fix="leave one out")
        metric = build(component, **component.offers(splits.facts))
        missing = [
            n
            for n in ("reset", "update", "state", "load_state", "compute")
            if not hasattr(metric, n)
        ]
        if missing:
            what = f"metric {component.name!r} lacks {', '.join(missing)}"
            raise ConfigError(what, where=f"In {component.path}", fix="see gatle.metrics.Metric")
        metrics[component.short_name] = metric
    return metrics


def _score(resolved: Resolved, evaluation: EvaluationParts) -> Score | None:
    """Return the score that chooses the best, if there is a split to choose on."""
    if "valid" not in evaluation.splits.sizes:
        return None
    directions = {"valid/loss": False} | {
        f"valid/{c.short_name}": _higher_is_better(c, evaluation.metrics[c.short_name])
        for c in resolved.metrics
    }
    first = f"valid/{resolved.metrics[0].short_name}" if resolved.metrics else "valid/loss"
    name = resolved.config.checkpoint.score or first
    if name not in directions:
        what = f"checkpoint.score is {name!r}, which no evaluation gives"
        what += did_you_mean(name, directions)
        fix = f"choose one of {', '.join(directions)}"
        raise ConfigError(what, where=str(resolved.origin("checkpoint.score")), fix=fix)
    return Score(name=name, higher_is_better=directions[name])


def _higher_is_better(component: Component, metric: Metric) -> bool:
    direction = getattr(component.record, "higher_is_better", None)
    direction = getattr(metric, "higher_is_better", None) if direction is None else direction
    if not isinstance(direction, bool):
        what = f"metric {component.name!r} does not say which direction is better"
        raise ConfigError(what, fix="give it a class attribute higher_is_better = True or False")
    return direction


def _span(resolved: Resolved, batches: int) -> Span:
    config = resolved.config
    steps_per_epoch = -(-batches // config.loop.accumulate)
    schedule = config.schedule
    if schedule.warmup_epochs is not None and schedule.warmup_steps is not None:
        what = "schedule has both warmup_epochs and warmup_steps"
        raise ConfigError(what, where=str(resolved.origin("schedule")), fix="keep one of them")
    warmup = schedule.warmup_steps
    if schedule.warmup_epochs is not None:
        warmup = round(schedule.warmup_epochs * steps_per_epoch)
    return Span(
        total_steps=steps_per_epoch * config.loop.max_epochs,
        steps_per_epoch=steps_per_epoch,
        warmup_steps=warmup,
    )


def _factor(component: Component, span: Span) -> Factor:
    factor: Factor = build(component, span)
    if not callable(factor):
        what = (
            f"schedule {component.name!r} returned a {type(factor).__name__}, "
            f"expected a function from step to factor"
        )
        raise ConfigError(what, fix="return a function of one whole number")
    return factor


def _expect(component: Component, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        what = (
            f"{component.path} {component.name!r} returned a {type(value).__name__}, "
            f"expected a {kind.__module__}.{kind.__name__}"
        )
        raise ConfigError(what, fix="return one")
