"""What the legend of a panel says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.lines import Line2D

from gatle_viz.curves import style
from gatle_viz.curves.paint import Drawn
from gatle_viz.curves.panels import split_of
from gatle_viz.curves.series import RunCurves

Entry = tuple[Line2D, str]


def of_one_run(drawn: Sequence[Drawn]) -> list[Entry]:
    """Return the entries of a panel with one run: its splits, their smoothing and best values."""
    entries = [entry for item in drawn for entry in _series(item)]
    return [*entries, *_marks(drawn)]


def of_several_runs(drawn: Sequence[Drawn], runs: Sequence[RunCurves]) -> list[Entry]:
    """Return the entries of a panel with several runs: each with its best value, then the signs."""
    entries = [_run(index, drawn, runs) for index in sorted({item.run for item in drawn})]
    return [*entries, *_explained(drawn), *_marks(drawn)]


def of_many_runs(drawn: Sequence[Drawn], runs: Sequence[RunCurves]) -> list[Entry]:
    """Return the entries of a whole figure with too many runs to name them in every panel."""
    names = [(_run_line(index), run.name) for index, run in enumerate(runs)]
    return [*names, *_explained(drawn), *_marks(drawn)]


def _series(item: Drawn) -> Iterator[Entry]:
    split, color = split_of(item.series.name), item.pen.color
    name = split or "value"
    if item.series.source == "evaluation":
        yield _handle(color=color, marker=item.pen.marker, markersize=4.5, linewidth=1.2), name
    elif item.weight:
        yield _handle(color=color, alpha=0.3, linewidth=1.0), f"{name}, as logged"
        yield _handle(color=color), f"{name}, {_smoothing(item)}"
    elif split:
        yield _handle(color=color), name
    if item.best is not None:
        yield _handle(color=color, linestyle="", **style.STAR), _best(item)


def _run(index: int, drawn: Sequence[Drawn], runs: Sequence[RunCurves]) -> Entry:
    bests = [item for item in drawn if item.run == index and item.best is not None]
    lines = [runs[index].name, *(f"  {_best(item)}" for item in bests)]
    return _run_line(index), "\n".join(lines)


def _explained(drawn: Sequence[Drawn]) -> list[Entry]:
    """Return, in grey, how smoothing, splits and best values are drawn."""
    entries: dict[str, Line2D] = {}
    for item in drawn:
        split = split_of(item.series.name)
        name = f"{split}, " if split else ""
        if item.series.source == "evaluation":
            look = {"marker": item.pen.marker, "markersize": 4.5, "linewidth": 1.2}
            entries.setdefault(split or "value", _grey(**look))
        elif item.weight:
            entries.setdefault(f"{name}as logged", _grey(alpha=0.4, linewidth=1.0))
            same = [other for other in drawn if split_of(other.series.name) == split]
            entries.setdefault(f"{name}{_smoothing(*same)}", _grey())
    if any(item.best is not None for item in drawn):
        entries.setdefault("best", _grey(linestyle="", **style.STAR))
    return [(handle, text) for text, handle in entries.items()]


def _marks(drawn: Sequence[Drawn]) -> list[Entry]:
    return [
        (_grey(**mark.look), mark.name)
        for mark in style.MARKS
        if any(item.marked(mark).any() for item in drawn)
    ]


def _best(item: Drawn) -> str:
    assert item.best is not None
    split = split_of(item.series.name)
    value = style.number(float(item.series.values[item.best]))
    step = int(item.series.steps[item.best])
    return f"best {split} {value} at step {step:,}"


def _smoothing(*items: Drawn) -> str:
    weights = [item.weight for item in items if item.weight]
    least, most = f"{min(weights):.2f}", f"{max(weights):.2f}"
    return f"EMA {least}" if least == most else f"EMA {least} to {most}"


def _run_line(index: int) -> Line2D:
    color, line = style.run_style(index)
    return _handle(color=color, linestyle=line)


def _grey(**look: object) -> Line2D:
    return _handle(color=style.FAINT_INK, **look)


def _handle(**look: object) -> Line2D:
    return Line2D([], [], **look)  # type: ignore[arg-type]  # looks are open, matplotlib checks them
