"""The loop: epochs and steps, with every event in its place."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import torch

from gatle.errors import DivergedError
from gatle.events import Events
from gatle.run import Run
from gatle.trainer.assemble import TrainingParts
from gatle.trainer.callbacks import evaluating
from gatle.trainer.clipping import Clipper, make_clipper
from gatle.trainer.evaluate import evaluate_split
from gatle.trainer.saving import Saver
from gatle.trainer.score import check_score
from gatle.trainer.step import make_step, set_learning_rates


def fit(parts: TrainingParts, run: Run, events: Events) -> None:
    """Train until `max_epochs` or until a callback asks to stop, evaluating and saving on the way.

    Raises:
        DivergedError: If the loss is not finite; nothing is saved of that epoch.
    """
    saver = Saver(parts, run)
    max_epochs = run.config.loop.max_epochs
    for epoch in range(run.epoch, max_epochs):
        if events.epoch_start is not None:
            events.epoch_start(run)
        train_epoch(parts, run, events, epoch=epoch)
        _finite_weights(parts, run)
        run.epoch = epoch + 1
        for split in parts.eval_loaders:
            _evaluate(parts, run, split)
            if events.evaluate_end is not None:
                events.evaluate_end(run)
        due = run.epoch % run.config.checkpoint.every_epochs == 0 or run.epoch == max_epochs
        if due or saver.is_best(run):
            run.phase = "save"
            saver.save(run)
            if events.checkpoint_saved is not None:
                events.checkpoint_saved(run)
        if events.epoch_end is not None:
            events.epoch_end(run)
        if run.stop_reason:
            break


def train_epoch(parts: TrainingParts, run: Run, events: Events, *, epoch: int) -> None:
    """Train one epoch; leaves its mean loss over samples in `run.metrics`.

    Raises:
        DivergedError: If the loss is not finite.
    """
    run.phase = "train"
    trainer, optimizer = parts.evaluation.trainer, parts.optimizer
    clipper = make_clipper(optimizer, run.config)
    step = make_step(trainer, optimizer, parts.evaluation.precision, clipper)
    trainer.model.train()
    parts.train_loader.set_epoch(epoch)
    meter = Meter(trainer.device)
    log_every, step_end = run.config.loop.log_every, events.step_end
    for window in windows(parts.train_loader, run.config.loop.accumulate):
        batches = [trainer.prep_batch(trainer.to_device(raw), split="train") for raw in window]
        set_learning_rates(optimizer, parts.base_rates, parts.factor, run.step)
        run.loss = step(batches)
        run.step += 1
        samples = sum(batch.size for batch in batches)
        run.samples += samples
        meter.add(run.loss, samples)
        if step_end is not None:
            step_end(run)
        if run.step % log_every == 0:
            _log(parts, run, events, meter, clipper)
    run.metrics["train/loss"] = _finite(meter.epoch_mean(), run)


class Meter:
    """Sums the training loss on the device, and brings it to the host only when asked."""

    def __init__(self, device: torch.device) -> None:
        self._sum = torch.zeros((), dtype=torch.float64, device=device)
        self._samples = 0
        self._last_sum, self._last_samples, self._last_time = 0.0, 0, time.perf_counter()

    def add(self, loss: torch.Tensor, samples: int) -> None:
        """Count the mean loss `[]` of so many samples."""
        self._sum.add_(loss, alpha=samples)
        self._samples += samples

    def since_last(self) -> tuple[float, float]:
        """Return mean loss and samples per second since the last call."""
        total, now = self._sum.item(), time.perf_counter()
        samples = self._samples - self._last_samples
        mean = (total - self._last_sum) / samples
        rate = samples / max(now - self._last_time, 1e-9)
        self._last_sum, self._last_samples, self._last_time = total, self._samples, now
        return mean, rate

    def epoch_mean(self) -> float:
        """Return the mean loss over all samples counted."""
        return self._sum.item() / self._samples


def windows(loader: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the batches in groups of `size`; the last group of an epoch may be shorter."""
    batches = iter(loader)
    while window := list(islice(batches, size)):
        yield window


def _log(
    parts: TrainingParts, run: Run, events: Events, meter: Meter, clipper: Clipper | None
) -> None:
    loss, rate = meter.since_last()
    run.logs = {
        "train/loss": loss,
        "lr": max(float(group["lr"]) for group in parts.optimizer.param_groups),
        "samples_per_s": rate,
    }
    if clipper is not None and clipper.total_norm is not None:
        run.logs["grad_norm"] = clipper.total_norm.item()
    if events.log is not None:
        events.log(run)
    _finite(loss, run)


def _evaluate(parts: TrainingParts, run: Run, split: str) -> None:
    run.phase = split
    evaluation = parts.evaluation
    with evaluating(parts.callbacks):
        numbers, _ = evaluate_split(
            evaluation.trainer,
            parts.eval_loaders[split],
            evaluation.metrics,
            split=split,
            precision=evaluation.precision,
        )
    run.metrics |= numbers
    if parts.score is not None and split == "valid":
        check_score(parts.score, run.metrics)


def _finite(loss: float, run: Run) -> float:
    if not math.isfinite(loss):
        raise _diverged(f"the training loss is {loss} by step {run.step}", run)
    return loss


def _finite_weights(parts: TrainingParts, run: Run) -> None:
    """The last update of an epoch can spoil the weights without any loss having seen it."""
    state = parts.evaluation.trainer.model.state_dict()
    finite = {k: v.isfinite().all() for k, v in state.items() if v.is_floating_point()}
    if finite and not torch.stack(list(finite.values())).all():
        name = next(name for name, is_finite in finite.items() if not is_finite)
        raise _diverged(f"{name} is not finite after step {run.step}", run)


def _diverged(what: str, run: Run) -> DivergedError:
    kept = f"the newest checkpoint is {run.checkpoint}" if run.checkpoint else "nothing was saved"
    return DivergedError(f"{what}; {kept}", fix="lower optimizer.params.lr or look at the data")
