"""Which metrics are drawn, in which panels, and which of their values is the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from gatle.errors import ConfigError
from gatle.plugins import did_you_mean
from gatle_viz.curves.series import RunCurves, Series

SPLITS = ("train", "valid", "test")
_LAST = ("lr", "samples_per_s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One pair of axes: a metric on every split.

    Attributes:
        family: The metric without its split: `loss`.
        names: The series in it: `train/loss`, `valid/loss`.
        higher_is_better: The direction of the metric, if it is known.
    """

    family: str
    names: tuple[str, ...]
    higher_is_better: bool | None = None

    @property
    def minor(self) -> bool:
        """Whether it is about how training went rather than what it reached."""
        return self.family in _LAST


def split_of(name: str) -> str:
    """Return the split a metric is of, or an empty string."""
    head, _, tail = name.partition("/")
    return head if tail and head in SPLITS else ""


def family_of(name: str) -> str:
    """Return the metric's name without its split."""
    split = split_of(name)
    return name.removeprefix(f"{split}/") if split else name


def select(runs: Sequence[RunCurves], patterns: Sequence[str]) -> list[str]:
    """Return the names of the metrics to draw: those that match, or all but the throughput.

    Raises:
        ConfigError: If a pattern matches no metric of any run.
    """
    names = list(dict.fromkeys(name for run in runs for name in run.series))
    if not patterns:
        return [name for name in names if name != "samples_per_s"] or names
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            what = f"no metric is called {pattern!r}{did_you_mean(pattern, names)}"
            where = f"In {', '.join(run.name for run in runs)}"
            fix = f"choose from {', '.join(sorted(names))}, or a pattern such as 'valid/*'"
            raise ConfigError(what, where=where, fix=fix)
    return [n for n in names if any(fnmatchcase(n, pattern) for pattern in patterns)]


def arrange(names: Sequence[str], directions: Mapping[str, bool]) -> list[Panel]:
    """Return the panels for metrics: the loss first, learning rate and throughput last.

    Args:
        names: Metrics with their splits.
        directions: Whether higher is better, by metric without its split.
    """
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(family_of(name), []).append(name)
    known = {"loss": False} | dict(directions)
    return [
        Panel(
            family=family,
            names=tuple(sorted(families[family], key=_split_order)),
            higher_is_better=known.get(family),
        )
        for family in sorted(families, key=_family_order)
    ]


def best_index(run: RunCurves, series: Series, panel: Panel) -> int | None:
    """Return the position of the best value of an evaluation, the first of equals.

    The run's own choice is taken where it made one. A value that is not finite is never the best.
    """
    if series.source != "evaluation" or not series.finite.any():
        return None
    if run.best and run.best["metric"] == series.name:
        (at,) = np.nonzero(series.steps == run.best["step"])
        if len(at):
            return int(at[0])
    if panel.higher_is_better is None:
        return None
    worst = -np.inf if panel.higher_is_better else np.inf
    values = np.where(series.finite, series.values, worst)
    return int(values.argmax() if panel.higher_is_better else values.argmin())


def _split_order(name: str) -> int:
    split = split_of(name)
    return SPLITS.index(split) if split else len(SPLITS)


def _family_order(family: str) -> int:
    """Loss, then metrics as they came (sorting is stable), then what is about training itself."""
    if family in _LAST:
        return 2 + _LAST.index(family)
    return 0 if family == "loss" else 1
