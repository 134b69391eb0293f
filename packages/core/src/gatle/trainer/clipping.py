"""Keeping gradients within bounds, and their norm for the record."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_value_, clip_grads_with_norm_, get_total_norm

from gatle.config import Config


class Clipper:
    """Bounds the gradients of an optimizer's parameters, first each by itself, then all together.

    Attributes:
        total_norm: The norm `[]` of all gradients before the last clipping, on their device;
            `None` if nobody asked for it.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        *,
        norm: float | None = None,
        value: float | None = None,
        keep_norm: bool = False,
    ) -> None:
        self.total_norm: Tensor | None = None
        self._groups = optimizer.param_groups
        self._norm, self._value = norm, value
        self._keep_norm = keep_norm or norm is not None

    def clip(self) -> None:
        """Bound the gradients that are there now; they must be unscaled."""
        parameters = [p for group in self._groups for p in group["params"] if p.grad is not None]
        total_norm = None
        if self._keep_norm:
            total_norm = self.total_norm = _norm(parameters)
        if self._value is not None:
            clip_grad_value_(parameters, self._value)
            total_norm = None
        if self._norm is not None:
            total_norm = _norm(parameters) if total_norm is None else total_norm
            clip_grads_with_norm_(parameters, self._norm, total_norm)


def make_clipper(optimizer: torch.optim.Optimizer, config: Config) -> Clipper | None:
    """Return what a config wants done to gradients, `None` if nothing."""
    norm, value = config.optimizer.clip_norm, config.optimizer.clip_value
    if norm is None and value is None and not config.loop.log_grad_norm:
        return None
    return Clipper(optimizer, norm=norm, value=value, keep_norm=config.loop.log_grad_norm)


def _norm(parameters: list[Tensor]) -> Tensor:
    return get_total_norm([p.grad for p in parameters if p.grad is not None])
