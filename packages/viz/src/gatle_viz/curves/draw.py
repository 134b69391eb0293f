"""The figure of curves: one panel per metric, one shared x axis."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from io import BytesIO
from itertools import chain
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from gatle_viz.curves import legend, style
from gatle_viz.curves.limits import robust_limits
from gatle_viz.curves.paint import Drawn, paint, pen_for, smoothing_of
from gatle_viz.curves.panels import Panel, best_index
from gatle_viz.curves.series import Axis, RunCurves

Format = Literal["png", "svg"]
FORMATS: tuple[Format, ...] = ("png", "svg")

_WIDTH = 9.0
_HEIGHT, _MINOR_HEIGHT, _FRAME = 2.3, 1.3, 0.9
_DPI = 150
_NAMED_RUNS = 6
_TITLE_LETTERS = 76
# No creation date and no version of matplotlib: the same numbers give the same bytes.
_METADATA = {
    "png": {"Software": "gatle-viz"},
    "svg": {"Creator": "gatle-viz", "Date": None},
}


def draw(runs: Sequence[RunCurves], panels: Sequence[Panel], *, axis: Axis = "step") -> Figure:
    """Return the figure; call it, and save it, inside `style.style()`.

    Args:
        runs: The runs that are overlaid.
        panels: The panels from top to bottom, at least one.
        axis: What x counts.
    """
    figure, rows = _empty(panels)
    unit, scale = _unit(runs, axis)
    plans = [_plan(runs, panel) for panel in panels]
    for axes, panel, drawn in zip(rows, panels, plans, strict=True):
        for item in drawn:
            paint(axes, runs[item.run].positions(item.series, axis) / scale, item)
        _finish(axes, panel)
        if drawn and drawn[0].limits:
            axes.set_ylim(*drawn[0].limits)
    _finish_x(rows[-1], axis, unit)
    figure.align_ylabels(rows)
    _entitle(figure, rows[0], runs)
    _explain(figure, rows, plans, runs)
    return figure


def picture(
    runs: Sequence[RunCurves], panels: Sequence[Panel], *, axis: Axis = "step", kind: Format = "png"
) -> bytes:
    """Return the content of the picture file; the same numbers give the same bytes."""
    content = BytesIO()
    with style.style():
        figure = draw(runs, panels, axis=axis)
        figure.savefig(content, format=kind, dpi=_DPI, metadata=_METADATA[kind])
    return content.getvalue()


def _empty(panels: Sequence[Panel]) -> tuple[Figure, list[Axes]]:
    heights = [_MINOR_HEIGHT if panel.minor else _HEIGHT for panel in panels]
    figure = Figure(figsize=(_WIDTH, sum(heights) + _FRAME), layout="constrained")
    grid = figure.subplots(
        len(panels), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
    )
    return figure, list(grid[:, 0])


def _plan(runs: Sequence[RunCurves], panel: Panel) -> list[Drawn]:
    shown = [run.series[name] for run in runs for name in panel.names if name in run.series]
    limits = robust_limits(np.concatenate([series.values for series in shown]))
    return [
        Drawn(
            run=index,
            series=run.series[name],
            pen=pen_for(index, name, overlaid=len(runs) > 1),
            weight=smoothing_of(run.series[name]),
            best=best_index(run, run.series[name], panel),
            limits=limits,
        )
        for index, run in enumerate(runs)
        for name in panel.names
        if name in run.series
    ]


def _explain(
    figure: Figure,
    rows: Sequence[Axes],
    plans: Sequence[Sequence[Drawn]],
    runs: Sequence[RunCurves],
) -> None:
    """Put legends beside the panels, where they hide nothing: one for all if there are many runs.

    Handles are given, because matplotlib leaves out what it finds itself under a name with '_'.
    """
    if len(runs) > _NAMED_RUNS:
        handles, labels = _columns(legend.of_many_runs(list(chain(*plans)), runs))
        figure.legend(handles, labels, loc="outside right upper")
        return
    for axes, drawn in zip(rows, plans, strict=True):
        several = len(runs) > 1
        entries = legend.of_several_runs(drawn, runs) if several else legend.of_one_run(drawn)
        if entries:
            axes.legend(
                *_columns(entries), loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0
            )


def _columns(entries: Sequence[legend.Entry]) -> tuple[list[Line2D], list[str]]:
    return [handle for handle, _ in entries], [text for _, text in entries]


def _unit(runs: Sequence[RunCurves], axis: Axis) -> tuple[str, float]:
    if axis != "time":
        return "", 1.0
    return style.time_unit(max(s.times[-1] for run in runs for s in run.series.values()))


def _finish(axes: Axes, panel: Panel) -> None:
    axes.set_ylabel(style.label(panel.family))
    axes.margins(x=0.02, y=0.08)
    axes.ticklabel_format(axis="y", style="sci", scilimits=(-3, 5))
    axes.yaxis.set_major_locator(
        MaxNLocator(nbins=4 if panel.minor else 5, steps=[1, 2, 2.5, 5, 10])
    )
    axes.tick_params(length=3)


def _finish_x(axes: Axes, axis: Axis, unit: str) -> None:
    axes.set_xlim(left=0)
    axes.set_xlabel(f"time since the start [{unit}]" if unit else style.label(axis))
    axes.xaxis.set_major_locator(
        MaxNLocator(nbins=9, steps=[1, 2, 5, 10], integer=axis == "step", min_n_ticks=1)
    )
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}" if axis == "step" else "{x:g}"))


def _entitle(figure: Figure, axes: Axes, runs: Sequence[RunCurves]) -> None:
    names = [run.name for run in runs]
    title = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    title = textwrap.fill(title, _TITLE_LETTERS)
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    if len(runs) == 1:
        line = f"{runs[0].status} at step {runs[0].last_step:,}"
        axes.set_title(line, loc="left", fontsize=9, color=style.FAINT_INK)
