"""The accuracy. N samples, C classes."""

from __future__ import annotations

from torch import Tensor

from gatle.metrics.inputs import Targets, check_shapes
from gatle.metrics.share import Share


class Accuracy(Share):
    """The share of samples whose highest score is at their class, counted exactly."""

    def __init__(self) -> None:
        super().__init__("accuracy")

    def update(self, outputs: Tensor, batch: Targets) -> None:
        """Count a batch of `outputs[N, C]`.

        Raises:
            ConfigError: If its targets are not one class number per sample.
        """
        check_shapes("accuracy", outputs, batch.targets)
        self.add(outputs.argmax(dim=-1) == batch.targets)
