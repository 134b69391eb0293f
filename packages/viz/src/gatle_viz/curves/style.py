"""How curves look, and how names and numbers are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np

# Okabe and Ito's colours, told apart with every kind of colour vision; the yellow is left out, it
# is too pale for lines on white. Line styles tell runs apart in print, and beyond seven runs.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
LINES = ("-", "--", "-.", ":")
SPLIT_COLORS = {"train": "#0072B2", "valid": "#D55E00", "test": "#009E73", "": "#444444"}
SPLIT_MARKERS = {"train": ".", "valid": "o", "test": "s", "": "o"}
STAR: dict[str, Any] = {
    "marker": "*",
    "markersize": 13,
    "markeredgecolor": "white",
    "markeredgewidth": 1.0,
}
INK = "#222222"
FAINT_INK = "#666666"


def _above(values: Any, low: float, high: float) -> Any:
    return np.isfinite(values) & (values > high)


def _below(values: Any, low: float, high: float) -> Any:
    return np.isfinite(values) & (values < low)


class Mark(NamedTuple):
    """How values without a place in a panel are marked at its edge.

    Attributes:
        test: Which of `values[N]` are meant, given the lowest and highest value shown.
        marker: The sign.
        height: The edge: 0 is the lower one, 1 the upper one.
        name: What the legend says.
        filled: Whether the sign is filled.
    """

    test: Callable[[Any, float, float], Any]
    marker: str
    height: float
    name: str
    filled: bool = True

    @property
    def look(self) -> dict[str, Any]:
        """How the sign is drawn, for `Line2D`."""
        look = {"linestyle": "", "marker": self.marker, "markersize": 6.5, "markeredgewidth": 1.6}
        return look if self.filled else look | {"markerfacecolor": "white"}


MARKS = (
    Mark(lambda values, low, high: np.isnan(values), "x", height=0.0, name="NaN"),
    Mark(lambda values, low, high: np.isposinf(values), "^", height=1.0, name="+infinity"),
    Mark(lambda values, low, high: np.isneginf(values), "v", height=0.0, name="-infinity"),
    Mark(_above, "^", height=1.0, name="above the panel", filled=False),
    Mark(_below, "v", height=0.0, name="below the panel", filled=False),
)

_LABELS = {
    "lr": "learning rate",
    "samples_per_s": "samples per second",
    "step": "optimizer step",
    "epoch": "epoch",
}
_RC: dict[Any, Any] = {
    "agg.path.chunksize": 20000,
    "axes.axisbelow": True,
    "axes.edgecolor": "#999999",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.solid_capstyle": "round",
    "svg.fonttype": "none",
    "svg.hashsalt": "gatle",
    "text.color": INK,
    "text.parse_math": False,  # names of runs and metrics are data, dollar signs and all
    "xtick.color": FAINT_INK,
    "xtick.labelsize": 8,
    "ytick.color": FAINT_INK,
    "ytick.labelsize": 8,
}


@contextmanager
def style() -> Iterator[None]:
    """Draw and save inside: the look of the figures, whatever the user's matplotlibrc says."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_RC)
        yield


def run_style(index: int) -> tuple[str, str]:
    """Return colour and line style of the run at a position."""
    return COLORS[index % len(COLORS)], LINES[index % len(LINES)]


def label(name: str) -> str:
    """Return what a metric or an axis is called in words."""
    return _LABELS.get(name, name.replace("_", " "))


def number(value: float) -> str:
    """Return a value with four significant digits."""
    return f"{value:.4g}"


def time_unit(seconds: float) -> tuple[str, float]:
    """Return the unit a span is best read in, and its length in seconds."""
    if seconds < 180:
        return "s", 1.0
    return ("min", 60.0) if seconds < 3 * 3600 else ("h", 3600.0)
