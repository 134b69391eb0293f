"""One optimizer step, straight through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from gatle.optim import Factor
from gatle.trainer.clipping import Clipper
from gatle.trainer.precision import Precision
from gatle.trainer.trainer import Batch, Trainer


def make_step(
    trainer: Trainer,
    optimizer: torch.optim.Optimizer,
    precision: Precision,
    clipper: Clipper | None = None,
) -> Callable[[Sequence[Batch]], Tensor]:
    """Return the function that takes one optimizer step over a window of batches.

    Each batch counts by its samples, so a window equals one batch of all its samples, whatever the
    batches' sizes. The clipper acts on the unscaled gradient of the whole window. The returned mean
    loss `[]` stays on the device.
    """
    scaler, forget = precision.scaler, _forgetting(optimizer)

    def step(window: Sequence[Batch]) -> Tensor:
        samples = sum(batch.size for batch in window)
        total = torch.zeros((), device=trainer.device) if len(window) > 1 else None
        for batch in window:
            with precision.autocast():
                loss = trainer.compute_loss(trainer.forward(batch), batch)
            if total is not None:
                loss = loss * (batch.size / samples)
                total += loss.detach()
            (scaler.scale(loss) if scaler else loss).backward()  # type: ignore[no-untyped-call]
        if clipper is not None:
            if scaler:
                scaler.unscale_(optimizer)
            clipper.clip()
        if scaler:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
        forget()
        return loss.detach() if total is None else total

    return step


def _forgetting(optimizer: torch.optim.Optimizer) -> Callable[[], None]:
    """Return what drops all gradients: a bare loop, where the optimizer has no way of its own.

    torch's `zero_grad` opens a profiler range and groups tensors, which costs 12 us a step.
    """
    if type(optimizer).zero_grad is not torch.optim.Optimizer.zero_grad:
        return optimizer.zero_grad
    parameters = [p for group in optimizer.param_groups for p in group["params"]]

    def forget() -> None:
        for parameter in parameters:
            parameter.grad = None

    return forget


def set_learning_rates(
    optimizer: torch.optim.Optimizer, base_rates: Sequence[float], factor: Factor, step: int
) -> None:
    """Give every group its own rate times the schedule's factor for a step, counted from 0."""
    value = factor(step)
    for group, rate in zip(optimizer.param_groups, base_rates, strict=True):
        group["lr"] = rate * value
