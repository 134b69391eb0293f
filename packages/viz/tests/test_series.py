from __future__ import annotations

import numpy as np
import pytest

from gatle.errors import ConfigError
from gatle_viz.curves.series import collect, read_curves


def log(step, value, name="train/loss"):
    return ("log", step, 0, {"metrics": {name: value}})


def test_series_hold_steps_times_and_values_as_recorded(small_run):
    run = read_curves(small_run())
    assert list(run.series) == ["train/loss", "lr", "valid/loss", "valid/accuracy"]
    loss = run.series["train/loss"]
    assert loss.source == "log"
    np.testing.assert_array_equal(loss.steps, range(1, 9))
    expected = [2.0, 1.0, np.nan, 0.5, 0.4, 2 / 6, 2 / 7, 0.25]
    np.testing.assert_array_equal(loss.values, expected)
    np.testing.assert_array_equal(loss.times, [1, 2, 3, 4, 7, 8, 9, 10])
    accuracy = run.series["valid/accuracy"]
    assert accuracy.source == "evaluation"
    np.testing.assert_array_equal(accuracy.steps, [4, 8])
    np.testing.assert_array_equal(accuracy.values, [0.4, 0.8])


def test_axes_count_steps_epochs_and_seconds(small_run):
    run = read_curves(small_run())
    loss = run.series["train/loss"]
    np.testing.assert_array_equal(run.positions(loss, "step"), loss.steps)
    np.testing.assert_array_equal(run.positions(loss, "epoch"), np.arange(1, 9) / 4)
    np.testing.assert_array_equal(run.positions(loss, "time"), loss.times)
    assert run.last_step == 8
    assert run.status == "finished"


def test_infinities_and_nan_come_back_as_numbers(make_run):
    folder = make_run("wild", [log(1, np.inf), log(2, -np.inf), log(3, np.nan), log(4, 1.0)])
    loss = read_curves(folder).series["train/loss"]
    np.testing.assert_array_equal(loss.values, [np.inf, -np.inf, np.nan, 1.0])
    np.testing.assert_array_equal(loss.finite, [False, False, False, True])


def test_steps_trained_again_after_a_resume_replace_what_was_recorded(make_run):
    make_run("resumed", [log(1, 1.0), log(2, 2.0), log(3, 3.0)])
    folder = make_run("resumed", [log(2, 20.0), log(4, 40.0)], segment=2)
    loss = read_curves(folder).series["train/loss"]
    np.testing.assert_array_equal(loss.steps, [1, 2, 4])
    np.testing.assert_array_equal(loss.values, [1.0, 20.0, 40.0])
    np.testing.assert_array_equal(loss.times, [0, 1000, 1001])


def test_an_epoch_that_has_not_ended_is_placed_by_the_plan(make_run):
    start = ("start", 0, 0, {"total_steps": 40})
    folder = make_run("early", [start, log(5, 1.0), log(15, 1.0)], max_epochs=4)
    run = read_curves(folder)
    np.testing.assert_allclose(run.positions(run.series["train/loss"], "epoch"), [0.5, 1.5])


def test_epoch_means_serve_where_no_finer_record_exists(make_run):
    epochs = [("epoch", 10 * n, n, {"metrics": {"train/loss": 1.0 / n}}) for n in (1, 2)]
    loss = read_curves(make_run("coarse", epochs)).series["train/loss"]
    assert loss.source == "epoch"
    np.testing.assert_array_equal(loss.values, [1.0, 0.5])


def test_a_run_without_numbers_is_an_error(make_run):
    folder = make_run("new", [("start", 0, 0, {"total_steps": 8})])
    with pytest.raises(ConfigError) as caught:
        read_curves(folder)
    assert str(caught.value) == (
        "run 'new' has recorded no numbers yet, so there is nothing to draw. "
        f"In {folder / 'events'}. Fix: wait for its first log record, or leave the run out."
    )


def test_events_of_other_kinds_are_passed_over():
    events = [{"t": 0.0, "kind": "alert", "step": 1, "epoch": 0, "metrics": {"x": 1.0}}]
    assert collect(events) == {}
