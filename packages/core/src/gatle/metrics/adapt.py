"""Metrics of torchmetrics, used as gatle's own; torchmetrics itself is never imported.

Known by what its base class keeps: `_defaults` and `_reductions`, the states by name
(https://lightning.ai/docs/torchmetrics/stable/pages/implement.html).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from gatle.errors import ConfigError

_BASE = ("_defaults", "_reductions")
_UPDATES = "gatle.updates"  # no state can be called so: theirs are attributes


def adapt(metric: Any, *, name: str, result: str, where: str | None = None) -> Any:
    """Return a metric of torchmetrics wrapped as one of gatle's; any other object as it is.

    Args:
        metric: What a metric's target returned.
        name: What messages call the metric.
        result: The name of its number.
        where: The place in the config.

    Raises:
        ConfigError: If a state of it is not a sum over samples, or it wraps another metric.
    """
    own = hasattr(metric, "state") and hasattr(metric, "load_state")
    if own or not all(isinstance(getattr(metric, n, None), dict) for n in _BASE):
        return metric
    for state, default in metric._defaults.items():
        kind = _reduction(metric._reductions.get(state))
        if kind != "sum" or not isinstance(default, Tensor):
            what = f"metric {name!r} merges its state {state!r} by {kind!r}, expected 'sum'"
            fix = "choose one that keeps sums (a curve does with thresholds = 100), or write one"
            raise ConfigError(what, where=where, fix=fix)
    if not metric._defaults or _wraps(metric):
        what = f"metric {name!r} keeps its states in another metric, where they are not added up"
        raise ConfigError(what, where=where, fix="name the metric that it wraps")
    return Adapted(metric, name=name, result=result)


class Adapted:
    """A metric `update(preds, target)`, `compute()`, `reset()` whose states are sums.

    Args:
        metric: The metric, one that `adapt` accepts.
        name: What messages call it.
        result: The name of its number.
    """

    def __init__(self, metric: Any, *, name: str, result: str) -> None:
        # States are added up before `compute`: a sum of its own over ranks would be a second one.
        metric.sync_on_compute = metric._to_sync = False
        self._metric = metric
        self._name = name
        self._updates = 0
        self.score_name = result

    @property
    def higher_is_better(self) -> bool | None:
        """The direction, if the metric has one."""
        return getattr(self._metric, "higher_is_better", None)

    def reset(self) -> None:
        """Forget everything."""
        self._metric.reset()
        self._updates = 0

    def update(self, outputs: Any, batch: Any) -> None:
        """Give the metric the outputs, half precision as float32, and the targets of a batch."""
        if isinstance(outputs, Tensor):
            if self._metric.device != outputs.device:
                self._metric.to(outputs.device)
            if outputs.dtype in (torch.bfloat16, torch.float16):
                outputs = outputs.float()
        self._metric.update(outputs, batch.targets)
        self._updates += 1

    def state(self) -> dict[str, Tensor]:
        """Return the metric's states, which are sums, and the number of updates."""
        states = {name: getattr(self._metric, name).clone() for name in self._metric._defaults}
        return states | {_UPDATES: torch.tensor(self._updates)}

    def load_state(self, state: dict[str, Tensor]) -> None:
        """Take states that were added up."""
        self._metric.reset()
        for name in self._metric._defaults:
            setattr(self._metric, name, state[name])
        self._updates = self._metric._update_count = int(state[_UPDATES])

    def compute(self) -> dict[str, float]:
        """Return the metric's numbers; NaN if nothing was counted.

        Raises:
            ConfigError: If it computes something else than a number or a dict of numbers.
        """
        if not self._updates:
            return {self.score_name: float("nan")}
        value = self._metric.compute()
        numbers = value if isinstance(value, Mapping) else {self.score_name: value}
        return {str(key): self._number(number) for key, number in numbers.items()}

    def _number(self, value: Any) -> float:
        if isinstance(value, Tensor) and value.numel() != 1:
            what = f"metric {self._name!r} computes a tensor {list(value.shape)}, expected a number"
            raise ConfigError(what, fix="choose its average, for example average = 'macro'")
        return float(value)


def _wraps(metric: Any) -> bool:
    """Whether a metric holds another one, which would add up over ranks by itself."""
    children = metric.children() if hasattr(metric, "children") else ()
    return any(hasattr(child, "_defaults") for child in children)


def _reduction(function: Any) -> str:
    """Return how a state is merged, as `sum` for torchmetrics' `dim_zero_sum`."""
    name = getattr(function, "__name__", None) or repr(function)
    return str(name).removeprefix("dim_zero_")
