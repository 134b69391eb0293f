"""An exponential moving average of the weights, used for evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from gatle.callbacks import Training
from gatle.errors import ConfigError
from gatle.run import Run


class EMA:
    """Averages weights and floating-point buffers after every step, and evaluates with the average.

    `average = decay * average + (1 - decay) * weights`, after Polyak and Juditsky, 1992
    (https://doi.org/10.1137/0330046). The decay starts low, at `(1 + n) / (10 + n)` after n steps,
    so that a short run does not evaluate its first weights. Running statistics of batch norm are
    averaged with the weights they belong to; buffers of whole numbers are copied.

    Training never sees the average; the checkpoint holds both.

    Args:
        decay: The share of the average that a step keeps, at most.
        warmup: Whether the decay starts low.
    """

    def __init__(self, *, decay: float = 0.999, warmup: bool = True) -> None:
        if not 0 < decay < 1:
            raise ConfigError(f"ema needs a decay between 0 and 1, got {decay}", fix="set decay")
        self.decay = decay
        self.warmup = warmup
        self._steps = 0
        self._live: list[Tensor] = []
        self._average: list[Tensor] = []
        self._copied: list[tuple[Tensor, Tensor]] = []

    def attach(self, training: Training) -> None:
        """Start from the weights as they are."""
        tensors = list(_unique(training.model.state_dict(keep_vars=True).values()))
        self._live = [t.detach() for t in tensors if t.is_floating_point()]
        self._average = [t.clone() for t in self._live]
        whole = [t.detach() for t in tensors if not t.is_floating_point()]
        self._copied = [(t, t.clone()) for t in whole]

    @torch.no_grad()
    def on_step_end(self, run: Run) -> None:
        """Move the average towards the weights."""
        self._steps += 1
        decay = self.decay
        if self.warmup:
            decay = min(decay, (1 + self._steps) / (10 + self._steps))
        torch._foreach_lerp_(self._average, self._live, 1 - decay)
        for live, kept in self._copied:
            kept.copy_(live)

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Let the model hold the average, and give it its own weights back."""
        own = [tensor.clone() for tensor in self._live]
        with torch.no_grad():
            torch._foreach_copy_(self._live, self._average)
        try:
            yield
        finally:
            with torch.no_grad():
                torch._foreach_copy_(self._live, own)

    def state_dict(self) -> dict[str, Any]:
        """Return the average and the number of steps in it."""
        kept = [kept for _, kept in self._copied]
        return {"average": self._average, "copied": kept, "steps": self._steps}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take the average back."""
        with torch.no_grad():
            for mine, saved in zip(self._average, state["average"], strict=True):
                mine.copy_(saved)
            for (_, kept), saved in zip(self._copied, state["copied"], strict=True):
                kept.copy_(saved)
        self._steps = int(state["steps"])


def _unique(tensors: Any) -> Iterator[Tensor]:
    """Yield every tensor once, though tied weights appear under two names."""
    seen: set[int] = set()
    for tensor in tensors:
        if id(tensor) not in seen:
            seen.add(id(tensor))
            yield tensor
