"""Callbacks of core, and what a callback is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import torch
    from torch import nn


class Training(Protocol):
    """What a callback may act on."""

    @property
    def model(self) -> nn.Module:
        """The model, on its device."""
        ...

    @property
    def optimizer(self) -> torch.optim.Optimizer | None:
        """The optimizer, whose groups hold the model's parameters; `None` in `gatle eval`."""
        ...

    @property
    def score_name(self) -> str:
        """The metric that decides which checkpoint is the best; empty if there is none."""
        ...

    @property
    def score_higher_is_better(self) -> bool:
        """The direction of the score."""
        ...


class Callback(Protocol):
    """Something that a config names to change training.

    Beside `attach` it may have methods `on_<event>(run)` as plugins' events; `state_dict` and
    `load_state_dict`, which put its state into checkpoints; and `evaluating()`, a context manager
    that is entered around every evaluation and left before anything is saved.
    """

    def attach(self, training: Training) -> None:
        """Take what it acts on; called once, when everything is built."""
        ...


__all__ = ["Callback", "Training"]
