"""The number that chooses the best checkpoint, and which way is better."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass

from gatle.config import Component, Resolved
from gatle.errors import ConfigError
from gatle.metrics import Metric
from gatle.plugins import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The number that decides which checkpoint is the best."""

    name: str
    higher_is_better: bool

    def improves(self, value: float, best: float | None) -> bool:
        """Whether a value beats the best so far; a non-finite value never does."""
        if not math.isfinite(value):
            return False
        if best is None:
            return True
        return value > best if self.higher_is_better else value < best


def choose_score(resolved: Resolved, metrics: Mapping[str, Metric]) -> Score:
    """Return the score that chooses the best checkpoint.

    Raises:
        ConfigError: If no evaluation gives the number that the config names.
    """
    of_metrics = {
        f"valid/{number}": _higher_is_better(c, metrics[c.short_name])
        for c in resolved.metrics
        for number in _numbers(c, metrics[c.short_name])
    }
    directions = {"valid/loss": False} | of_metrics
    name = resolved.config.checkpoint.score or next(iter(of_metrics), "valid/loss")
    if name not in directions:
        what = f"checkpoint.score is {name!r}, which no evaluation gives"
        what += did_you_mean(name, directions)
        fix = f"choose one of {', '.join(directions)}"
        raise ConfigError(what, where=str(resolved.origin("checkpoint.score")), fix=fix)
    return Score(name=name, higher_is_better=directions[name])


def check_score(score: Score, numbers: Mapping[str, float]) -> None:
    """Refuse a score that an evaluation did not give, rather than never find a best checkpoint.

    Raises:
        ConfigError: Listing the numbers there are.
    """
    if score.name not in numbers:
        what = f"no evaluation gives the score {score.name!r}{did_you_mean(score.name, numbers)}"
        valid = [name for name in numbers if name.startswith("valid/")]
        raise ConfigError(what, fix=f"set checkpoint.score to one of {', '.join(valid)}")


def _numbers(component: Component, metric: Metric) -> list[str]:
    """Return the names of a metric's numbers, the one that stands for it first."""
    named = getattr(metric, "score_name", None)
    if isinstance(named, str):
        return [named]
    try:
        return list(copy.deepcopy(metric).compute()) or [component.short_name]
    except Exception:  # noqa: BLE001  many metrics cannot compute anything of nothing
        return [component.short_name]


def _higher_is_better(component: Component, metric: Metric) -> bool:
    direction = getattr(component.record, "higher_is_better", None)
    direction = getattr(metric, "higher_is_better", None) if direction is None else direction
    if not isinstance(direction, bool):
        what = f"metric {component.name!r} does not say which direction is better"
        raise ConfigError(what, fix="give it a class attribute higher_is_better = True or False")
    return direction
