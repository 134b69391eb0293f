"""`gatle plot`: curves of runs as a picture file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click

from gatle.errors import ConfigError
from gatle.plugin import CommandContext, Metric
from gatle.plugins import PluginManager, did_you_mean
from gatle.run import find_folder
from gatle.run.record import finite
from gatle_viz.curves.draw import FORMATS, Format, picture
from gatle_viz.curves.panels import Panel, arrange, best_index, select
from gatle_viz.curves.series import Axis, RunCurves, Series, read_curves
from gatle_viz.files import write_bytes

SCHEMA = "gatle.plot/1"


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--metric",
    "metrics",
    metavar="GLOB",
    multiple=True,
    help="Draw only metrics with such names, as 'valid/*'; may be given several times.",
)
@click.option(
    "--x",
    "axis",
    type=click.Choice(["step", "epoch", "time"]),
    default="step",
    show_default=True,
    help="What the x axis counts.",
)
@click.option(
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A .png or .svg file; by default figures/curves.png in the run's folder, or curves.png "
    "here for several runs.",
)
@click.pass_obj
def plot(
    context: CommandContext,
    runs: tuple[str, ...],
    metrics: tuple[str, ...],
    axis: Axis,
    output: Path | None,
) -> None:
    """Draw the curves of runs as PNG or SVG.

    Several runs are overlaid. Training numbers are shown as logged and as a moving mean,
    evaluations as markers, the best of them with a star; values that are no numbers are marked
    at the edge and leave a gap.
    """
    folders = _folders(runs, root=context.runs)
    path = output or _default_output(folders)
    kind = _format(path)
    curves = _named_apart([read_curves(folder) for folder in folders], folders)
    panels = arrange(select(curves, metrics), _directions(context.manager))
    write_bytes(path, picture(curves, panels, axis=axis, kind=kind))
    click.echo(_report(path, curves, panels) if context.json else str(path))


def _folders(runs: Sequence[str], *, root: Path) -> list[Path]:
    """Return the runs' folders, each once, in the order they were named."""
    return list(dict.fromkeys(find_folder(run, root=root).resolve() for run in runs))


def _default_output(folders: Sequence[Path]) -> Path:
    return folders[0] / "figures" / "curves.png" if len(folders) == 1 else Path("curves.png")


def _format(path: Path) -> Format:
    suffix = path.suffix.lower().removeprefix(".")
    for kind in FORMATS:
        if suffix == kind:
            return kind
    what = f"--output is {str(path)!r}, expected a name that ends in .png or .svg"
    raise ConfigError(what + did_you_mean(suffix, FORMATS), fix="choose such a name")


def _named_apart(curves: Sequence[RunCurves], folders: Sequence[Path]) -> list[RunCurves]:
    """Return the runs with their folders' paths for names where two have the same name."""
    names = [run.name for run in curves]
    return [
        replace(run, name=str(folder)) if names.count(run.name) > 1 else run
        for run, folder in zip(curves, folders, strict=True)
    ]


def _directions(manager: PluginManager) -> dict[str, bool]:
    records = (cast("Metric", provided.record) for provided in manager.registry("metrics"))
    return {record.name: record.higher_is_better for record in records}


def _report(path: Path, curves: Sequence[RunCurves], panels: Sequence[Panel]) -> str:
    series = [
        _facts(run, run.series[name], panel)
        for run in curves
        for panel in panels
        for name in panel.names
        if name in run.series
    ]
    return json.dumps({"schema": SCHEMA, "path": str(path), "series": series}, allow_nan=False)


def _facts(run: RunCurves, series: Series, panel: Panel) -> dict[str, Any]:
    best = best_index(run, series, panel)
    point = (
        None
        if best is None
        else {
            "value": float(series.values[best]),
            "step": int(series.steps[best]),
        }
    )
    facts: dict[str, Any] = finite(
        {
            "run": run.name,
            "metric": series.name,
            "points": len(series.values),
            "not_finite": int((~series.finite).sum()),
            "last": {"value": float(series.values[-1]), "step": int(series.steps[-1])},
            "best": point,
        }
    )
    return facts
