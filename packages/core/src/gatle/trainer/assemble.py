"""From a resolved config to the parts of a run, each checked as it is built."""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from gatle.callbacks import Callback
from gatle.checkpoint import Format
from gatle.config import Component, Resolved
from gatle.data import Loader, Splits, as_splits, make_loader, refuse_shared_rows
from gatle.errors import ConfigError
from gatle.metrics import Metric, adapt
from gatle.optim import Factor, Span
from gatle.plugins import did_you_mean
from gatle.trainer.building import build, expect
from gatle.trainer.callbacks import CallbackScope, build_callbacks
from gatle.trainer.optimizing import build_optimizer
from gatle.trainer.precision import Precision, decide
from gatle.trainer.score import Score, choose_score
from gatle.trainer.trainer import Trainer


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
    callbacks: Mapping[str, Callback]


def assemble_evaluation(resolved: Resolved, *, device: torch.device) -> EvaluationParts:
    """Build data, model, loss and metrics.

    Raises:
        ConfigError: If a component does not keep its contract.
    """
    seed_everything(resolved.config.seed)
    parts = resolved.components
    splits = as_splits(build(parts["data"]), name=parts["data"].name)
    if not resolved.config.data.allow_shared_rows:
        refuse_shared_rows(splits)
    model = build(parts["model"], **parts["model"].offers(splits.facts))
    expect(parts["model"], model, nn.Module)
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
    optimizer = build_optimizer(resolved, evaluation.trainer.model)
    span = _span(resolved, len(train_loader))
    score = None
    if "valid" in evaluation.splits.sizes:
        score = choose_score(resolved, evaluation.metrics)
    scope = CallbackScope(model=evaluation.trainer.model, optimizer=optimizer, score=score)
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
        score=score,
        callbacks=build_callbacks(resolved.callbacks, scope),
    )


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
        where = f"In {component.path}"
        built = build(component, **component.offers(splits.facts))
        metric = adapt(built, name=component.name, result=component.short_name, where=where)
        missing = [
            n
            for n in ("reset", "update", "state", "load_state", "compute")
            if not hasattr(metric, n)
        ]
        if missing:
            what = f"metric {component.name!r} lacks {', '.join(missing)}"
            raise ConfigError(what, where=where, fix="see gatle.metrics.Metric")
        metrics[component.short_name] = metric
    return metrics


def _span(resolved: Resolved, batches: int) -> Span:
    config = resolved.config
    steps_per_epoch = -(-batches // config.loop.accumulate)
    schedule = config.schedule
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
