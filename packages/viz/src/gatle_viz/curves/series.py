"""The numbers of a run as series, read from its log of record. Nothing here draws."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatle.errors import ConfigError
from gatle.run import derived_status, read, read_metadata

Numbers = NDArray[np.float64]
Axis = Literal["step", "epoch", "time"]
Source = Literal["log", "evaluation", "epoch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One metric of one run.

    Attributes:
        name: As in the record: `valid/accuracy`.
        source: What wrote it: every few steps, at every evaluation, or once an epoch.
        steps: Optimizer steps `[N]`, rising.
        times: Seconds since the run started `[N]`.
        values: The values `[N]`; NaN and infinities as they were recorded.
    """

    name: str
    source: Source
    steps: Numbers
    times: Numbers
    values: Numbers

    @property
    def finite(self) -> NDArray[np.bool_]:
        """Which values are numbers `[N]`."""
        return np.isfinite(self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCurves:
    """All series of one run, and what places them.

    Attributes:
        name: What the run is called in the figure.
        status: How it ended, or that it has not.
        series: The series by name, in the order of their first record.
        epoch_steps: Optimizer steps at which an epoch ended `[E]`, from 0.
        epochs: The epochs ended there `[E]`, from 0.
        best: `metric`, `value` and `step` of the best checkpoint, as the run itself chose it.
    """

    name: str
    status: str
    series: Mapping[str, Series]
    epoch_steps: Numbers
    epochs: Numbers
    best: Mapping[str, Any] | None = None

    @property
    def last_step(self) -> int:
        """The last step anything was recorded at."""
        return int(max(series.steps[-1] for series in self.series.values()))

    def positions(self, series: Series, axis: Axis) -> Numbers:
        """Return where the values of a series are `[N]`: steps, epochs, or seconds."""
        if axis == "step":
            return series.steps
        if axis == "time":
            return series.times
        return np.interp(series.steps, self.epoch_steps, self.epochs)


def read_curves(folder: Path) -> RunCurves:
    """Read the curves of a run.

    Raises:
        ConfigError: If the run has recorded no numbers.
        CheckpointError: If its `run.json` is damaged.
    """
    events = read(folder).events
    facts = read_metadata(folder)
    series = collect(events)
    if not series:
        what = f"run {folder.name!r} has recorded no numbers yet, so there is nothing to draw"
        fix = "wait for its first log record, or leave the run out"
        raise ConfigError(what, where=f"In {folder / 'events'}", fix=fix)
    steps, epochs = epoch_anchors(events, max_epochs=_max_epochs(folder))
    return RunCurves(
        name=folder.name,
        status=derived_status(facts),
        series=series,
        epoch_steps=steps,
        epochs=epochs,
        best=facts.get("best"),
    )


@dataclass(slots=True)
class _Points:
    source: Source
    rows: list[tuple[float, float, float]] = field(default_factory=list)

    def add(self, step: float, time: float, value: float) -> None:
        # A resumed run trains steps again that were recorded before it was killed; the later
        # record is of the weights that live on.
        while self.rows and self.rows[-1][0] >= step:
            self.rows.pop()
        self.rows.append((step, time, value))

    def series(self, name: str) -> Series:
        steps, times, values = np.asarray(self.rows, dtype=np.float64).T
        return Series(name=name, source=self.source, steps=steps, times=times, values=values)


def collect(events: Iterable[Mapping[str, Any]]) -> dict[str, Series]:
    """Return the series of a run's events by name.

    The epoch's mean training loss is taken only where no finer record exists.
    """
    fine: dict[str, _Points] = {}
    coarse: dict[str, _Points] = {}
    start: float | None = None
    for event in events:
        time = float(event["t"])
        start = time if start is None else start
        kind: Source = event["kind"]
        into = coarse if kind == "epoch" else fine
        for name, value in _numbers(event):
            points = into.setdefault(name, _Points(source=kind))
            points.add(float(event["step"]), time - start, value)
    return {name: points.series(name) for name, points in (coarse | fine).items()}


def epoch_anchors(
    events: Iterable[Mapping[str, Any]], *, max_epochs: int | None
) -> tuple[Numbers, Numbers]:
    """Return steps `[E]` and the epochs `[E]` completed at them, both rising from 0.

    The planned end is the last anchor, so an epoch that has not ended has fractions too.
    """
    anchors = {0.0: 0.0}
    total_steps = 0.0
    for event in events:
        if event["kind"] == "start":
            total_steps = float(event.get("total_steps") or 0)
        if event["kind"] == "epoch":
            step = float(event["step"])
            anchors = {s: e for s, e in anchors.items() if s < step}
            anchors[step] = float(event["epoch"])
    if max_epochs and total_steps > max(anchors):
        anchors[total_steps] = float(max_epochs)
    return np.array(list(anchors)), np.array(list(anchors.values()))


def _numbers(event: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
    metrics = event.get("metrics")
    if event["kind"] not in {"log", "evaluation", "epoch"} or not isinstance(metrics, Mapping):
        return ()
    return [(name, float(v)) for name, v in metrics.items() if isinstance(v, int | float)]


def _max_epochs(folder: Path) -> int | None:
    path = folder / "config.toml"
    if not path.is_file():
        return None
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    epochs = content.get("loop", {}).get("max_epochs")
    return epochs if isinstance(epochs, int) else None
