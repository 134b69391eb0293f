"""Lines and markers of series, in axes that are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from gatle_viz.curves import style
from gatle_viz.curves.panels import split_of
from gatle_viz.curves.series import Numbers, Series
from gatle_viz.curves.smoothing import debiased_mean, thin, weight_for

_MOST_POINTS = 4000
_MARKED_POINTS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """How the series of one run and split are drawn."""

    color: str
    line: str
    marker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What was drawn of one series, for the legend.

    Attributes:
        run: The position of its run.
        series: The series.
        pen: How it was drawn.
        weight: The smoothing weight of the strong line; 0 if nothing was smoothed.
        best: The position of the value that is marked as the best.
        limits: The lowest and highest value the panel shows; `None` if it shows all.
    """

    run: int
    series: Series
    pen: Pen
    weight: float = 0.0
    best: int | None = None
    limits: tuple[float, float] | None = None

    def marked(self, mark: style.Mark) -> NDArray[np.bool_]:
        """Return which values `[N]` are marked at the edge with a sign."""
        low, high = self.limits or (-np.inf, np.inf)
        where: NDArray[np.bool_] = mark.test(self.series.values, low, high)
        return where


def pen_for(index: int, name: str, *, overlaid: bool) -> Pen:
    """Return the pen for a series: runs differ where they are overlaid, else splits differ."""
    split = split_of(name)
    marker = style.SPLIT_MARKERS[split]
    if not overlaid:
        return Pen(color=style.SPLIT_COLORS[split], line="-", marker=marker)
    color, line = style.run_style(index)
    return Pen(color=color, line=line, marker=marker)


def smoothing_of(series: Series) -> float:
    """Return the weight a series is smoothed with; evaluations and learning rates are exact."""
    if series.source != "log" or series.name == "lr":
        return 0.0
    return weight_for(len(series.values))


def paint(axes: Axes, x: Numbers, drawn: Drawn) -> None:
    """Draw a series at `x[N]`: its values, their moving mean, its best, and what is no number."""
    series, pen = drawn.series, drawn.pen
    if series.source == "evaluation":
        _evaluations(axes, x, series.values, pen)
    elif drawn.weight:
        smooth = debiased_mean(series.values, weight=drawn.weight)
        _line(axes, x, series.values, pen, faint=True)
        _line(axes, x, smooth, pen, faint=False)
    else:
        _line(axes, x, series.values, pen, faint=False)
    for mark in style.MARKS:
        _at_edge(axes, x, drawn, mark)
    if drawn.best is not None:
        at = [drawn.best]
        axes.plot(x[at], series.values[at], zorder=5, color=pen.color, **style.STAR)


def _line(axes: Axes, x: Numbers, values: Numbers, pen: Pen, *, faint: bool) -> None:
    at = thin(values, limit=_MOST_POINTS)
    shown = np.where(np.isfinite(values[at]), values[at], np.nan)
    look = {"alpha": 0.3, "linewidth": 1.0} if faint else {"linestyle": pen.line}
    axes.plot(x[at], shown, color=pen.color, **look)
    lonely = _lonely(shown)
    axes.plot(x[at][lonely], shown[lonely], ".", color=pen.color, alpha=0.3 if faint else 1.0)


def _evaluations(axes: Axes, x: Numbers, values: Numbers, pen: Pen) -> None:
    at = thin(values, limit=_MOST_POINTS)
    shown = np.where(np.isfinite(values[at]), values[at], np.nan)
    axes.plot(x[at], shown, color=pen.color, linestyle=pen.line, linewidth=1.2, alpha=0.7)
    size = 4.5 if len(at) <= _MARKED_POINTS else 2.5
    axes.plot(x[at], shown, pen.marker, color=pen.color, markersize=size, markeredgewidth=0)


def _at_edge(axes: Axes, x: Numbers, drawn: Drawn, mark: style.Mark) -> None:
    """Mark values without a place in the panel: a sign where they begin, a bar along them."""
    here = drawn.marked(mark)
    if not here.any():
        return
    edge: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "clip_on": False}
    height = np.where(here, mark.height, np.nan)
    axes.plot(x, height, color=drawn.pen.color, linewidth=3, alpha=0.5, zorder=6, **edge)
    starts = np.flatnonzero(here & ~np.concatenate([[False], here[:-1]]))
    axes.plot(x[starts], height[starts], color=drawn.pen.color, zorder=7, **edge, **mark.look)


def _lonely(values: Numbers) -> NDArray[np.intp]:
    """Return the positions of numbers without a neighbour, of which a line shows nothing."""
    gap = np.concatenate([[True], ~np.isfinite(values), [True]])
    return np.flatnonzero(gap[:-2] & gap[2:] & ~gap[1:-1])
