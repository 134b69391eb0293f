"""What metrics over classes read, and the check of its shapes. N samples, C classes."""

from __future__ import annotations

from typing import Protocol

from torch import Tensor

from gatle.errors import ConfigError


class Targets(Protocol):
    """The part of a batch that a metric reads."""

    @property
    def targets(self) -> Tensor:
        """The class numbers `[N]`."""
        ...


def check_shapes(name: str, outputs: Tensor, targets: Tensor) -> None:
    """Refuse targets that are not one class number per sample.

    Raises:
        ConfigError: If `outputs[N, C]` and `targets[N]` do not fit each other.
    """
    if outputs.shape[:-1] != targets.shape:
        what = (
            f"{name} expects outputs[N, C] and targets[N], "
            f"got {tuple(outputs.shape)} and {tuple(targets.shape)}"
        )
        raise ConfigError(what, fix="check what the model returns and what prep_batch gives it")
