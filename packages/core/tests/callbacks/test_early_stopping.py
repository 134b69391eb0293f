from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from gatle.callbacks.early_stopping import EarlyStopping
from gatle.errors import ConfigError

NAN = math.nan


def attached(*, name="valid/accuracy", higher_is_better=True, **params) -> EarlyStopping:
    callback = EarlyStopping(**params)
    callback.attach(
        SimpleNamespace(
            model=None, optimizer=None, score_name=name, score_higher_is_better=higher_is_better
        )
    )
    return callback


def stops_after(scores, callback=None, **params) -> int | None:
    """Return the epoch after which a run with these scores ends."""
    callback = callback or attached(**params)
    for epoch, score in enumerate(scores, start=1):
        run = SimpleNamespace(
            phase="valid", epoch=epoch, metrics={"valid/accuracy": score}, stop_reason=""
        )
        callback.on_evaluate_end(run)
        if run.stop_reason:
            return epoch
    return None


@pytest.mark.parametrize(
    ("scores", "params", "epoch"),
    [
        ([0.1, 0.2, 0.3, 0.4], {"patience": 1}, None),
        ([0.5, 0.4, 0.4, 0.4], {"patience": 3}, 4),
        ([0.5, 0.5, 0.5], {"patience": 2}, 3),
        ([NAN, 0.6, NAN, 0.9, 0.7, 0.8], {"patience": 2}, 6),
        ([NAN, NAN], {"patience": 2}, 2),
        ([math.inf, 0.5, 0.6], {"patience": 2}, None),
        ([0.5, 0.55, 0.59], {"patience": 2, "min_delta": 0.1}, 3),
        ([0.9, 0.1, 0.1, 0.1, 0.1], {"patience": 2, "after_epochs": 2}, 5),
        ([0.1, 0.2, 0.3], {"patience": 1, "higher_is_better": False}, 2),
    ],
)
def test_it_stops_after_so_many_evaluations_without_a_better_score(scores, params, epoch):
    assert stops_after(scores, **params) == epoch


def test_the_count_survives_a_resume():
    first = attached(patience=3)
    assert stops_after([0.5, 0.4, 0.4], first) is None
    second = attached(patience=3)
    second.load_state_dict(first.state_dict())
    assert stops_after([0.4], second) == 1


def test_other_splits_are_not_counted():
    callback = attached(patience=1)
    run = SimpleNamespace(phase="test", epoch=1, metrics={"valid/accuracy": 0.1}, stop_reason="")
    callback.on_evaluate_end(run)
    callback.on_evaluate_end(run)
    assert run.stop_reason == ""


def test_the_reason_is_a_sentence():
    callback = attached(patience=1)
    run = SimpleNamespace(phase="valid", epoch=1, metrics={"valid/accuracy": 0.5}, stop_reason="")
    callback.on_evaluate_end(run)
    callback.on_evaluate_end(run)
    assert run.stop_reason == "valid/accuracy has not improved for 1 evaluation"


def test_a_run_without_a_score_is_refused():
    with pytest.raises(ConfigError, match="early-stopping needs a score, and there is no valid"):
        attached(name="")


def test_a_patience_of_nothing_is_refused():
    with pytest.raises(ConfigError, match=r"needs a patience of at least 1, got 0\. Fix: set"):
        EarlyStopping(patience=0)
