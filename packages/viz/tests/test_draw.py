from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest

from gatle_viz.curves import style
from gatle_viz.curves.draw import draw, picture
from gatle_viz.curves.panels import arrange, select
from gatle_viz.curves.series import read_curves


@pytest.fixture
def figure(small_run):
    return lambda *names, axis="step", **options: figure_of(
        [read_curves(small_run(name, **options)) for name in names or ("small",)], axis=axis
    )


def figure_of(runs, *, axis="step"):
    with style.style():
        drawn = draw(runs, panels(runs), axis=axis)
        drawn.draw_without_rendering()
        return drawn


def panels(runs):
    return arrange(select(runs, []), {"accuracy": True})


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_one_panel_per_metric_with_labels_title_and_legend(figure):
    drawn = figure("first")
    loss, accuracy, rate = drawn.axes
    assert [axes.get_ylabel() for axes in drawn.axes] == ["loss", "accuracy", "learning rate"]
    assert rate.get_xlabel() == "optimizer step"
    assert drawn.get_suptitle() == "first"
    assert loss.get_title(loc="left") == "finished at step 8"
    assert legend(loss) == ["train", "valid", "best valid 0.375 at step 8", "NaN"]
    assert legend(accuracy) == ["valid", "best valid 0.8 at step 8"]


@pytest.mark.parametrize(
    ("axis", "label"), [("epoch", "epoch"), ("time", "time since the start [s]")]
)
def test_x_axis_says_what_it_counts(figure, axis, label):
    assert figure("first", axis=axis).axes[-1].get_xlabel() == label


def test_nan_is_a_gap_with_a_sign_at_the_edge(figure):
    loss = figure("first").axes[0]
    train = next(line for line in loss.lines if len(line.get_xdata()) == 8)
    assert np.isnan(train.get_ydata()[2])
    assert np.isfinite(np.delete(train.get_ydata(), 2)).all()
    (cross,) = [line for line in loss.lines if line.get_marker() == "x"]
    assert (list(cross.get_xdata()), list(cross.get_ydata())) == ([3.0], [0.0])
    assert cross.get_transform() == loss.get_xaxis_transform()


def test_infinities_have_signs_at_their_own_edge(make_run):
    values = [1.0, np.inf, 2.0, -np.inf, 3.0]
    events = [("log", n, 0, {"metrics": {"train/loss": v}}) for n, v in enumerate(values, 1)]
    (axes,) = figure_of([read_curves(make_run("wild", events))]).axes
    signs = {line.get_marker(): line for line in axes.lines if line.get_marker() in ("^", "v")}
    assert list(signs["^"].get_xdata()) == [2.0]
    assert list(signs["^"].get_ydata()) == [1.0]
    assert list(signs["v"].get_xdata()) == [4.0]
    assert list(signs["v"].get_ydata()) == [0.0]
    assert legend(axes) == ["train", "+infinity", "-infinity"]
    assert axes.get_ylim()[1] < 4


def test_a_wild_value_is_marked_above_the_panel(make_run):
    values = [*np.linspace(2, 1, 40).tolist(), 1e30]
    events = [("log", n, 0, {"metrics": {"train/loss": v}}) for n, v in enumerate(values, 1)]
    (axes,) = figure_of([read_curves(make_run("wild", events))]).axes
    assert axes.get_ylim()[1] < 3
    assert legend(axes) == ["train, as logged", "train, EMA 0.60", "above the panel"]


def test_runs_differ_in_colour_and_in_line_style(figure):
    loss = figure("first", "second", "third").axes[0]
    handles = loss.get_legend().get_lines()[:3]
    assert len({line.get_color() for line in handles}) == 3
    assert len({line.get_linestyle() for line in handles}) == 3
    assert legend(loss)[:2] == [f"{n}\n  best valid 0.375 at step 8" for n in ("first", "second")]
    looks = [style.run_style(index) for index in range(28)]
    assert len(set(looks)) == 28
    assert all(one[0] != two[0] and one[1] != two[1] for one, two in pairwise(looks))


def test_many_runs_are_named_once_beside_the_figure(figure):
    drawn = figure(*(f"run{n}" for n in range(8)))
    (shared,) = drawn.legends
    names = [text.get_text() for text in shared.get_texts()]
    assert names == [*(f"run{n}" for n in range(8)), "valid", "best", "NaN"]
    assert all(axes.get_legend() is None for axes in drawn.axes)
    assert drawn.get_suptitle() == "run0, run1, run2 and 5 more"


@pytest.mark.parametrize("name", ["$x^2$", "cost_$5", r"a\$b", "_hidden", "50%{y}"])
def test_names_are_drawn_as_they_are(figure, name):
    drawn = figure(name, "other")
    assert legend(drawn.axes[0])[0].startswith(name)
    assert drawn.get_suptitle().startswith(name)
    texts = [drawn._suptitle, *drawn.axes[0].get_legend().get_texts()]
    assert not any(text.get_parse_math() for text in texts)


def test_a_single_record_is_visible(make_run):
    events = [("log", 5, 0, {"metrics": {"train/loss": 1.0}})]
    (axes,) = figure_of([read_curves(make_run("one", events))]).axes
    dots = [line for line in axes.lines if line.get_marker() == "." and len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in dots] == [[5.0]]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_record_gives_the_same_bytes(small_run, kind):
    runs = [read_curves(small_run("$a"))]
    content = picture(runs, panels(runs), kind=kind)
    assert content == picture(runs, panels(runs), kind=kind)
    assert content.startswith(b"\x89PNG" if kind == "png" else b"<?xml")
    assert b"Software\x00gatle-viz" in content or b"<dc:title>gatle-viz" in content
    assert b"dc:date" not in content


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_another_process_with_other_settings_gives_the_same_bytes(small_run, kind, tmp_path):
    folder = small_run("elsewhere")
    runs = [read_curves(folder)]
    code = (
        "import sys, pathlib, matplotlib as mpl; mpl.rcParams['font.size'] = 31;"
        "from gatle_viz.curves.draw import picture;"
        "from gatle_viz.curves.panels import arrange, select;"
        "from gatle_viz.curves.series import read_curves;"
        f"runs = [read_curves(pathlib.Path({str(folder)!r}))];"
        "panels = arrange(select(runs, []), {'accuracy': True});"
        f"sys.stdout.buffer.write(picture(runs, panels, kind={kind!r}));"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == picture(runs, panels(runs), kind=kind)


def test_drawing_leaves_matplotlibs_settings_alone(small_run):
    before = mpl.rcParams.copy()
    runs = [read_curves(small_run())]
    picture(runs, panels(runs))
    assert mpl.rcParams.copy() == before
