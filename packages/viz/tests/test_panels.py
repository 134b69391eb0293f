from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gatle.errors import ConfigError
from gatle_viz.curves.panels import Panel, arrange, best_index, family_of, select, split_of
from gatle_viz.curves.series import Series, read_curves

ACCURACY = Panel(family="accuracy", names=("valid/accuracy",), higher_is_better=True)
LOSS = Panel(family="loss", names=("valid/loss",), higher_is_better=False)


def evaluation(name, *values):
    steps = np.arange(1.0, len(values) + 1) * 10
    array = np.array(values, dtype=np.float64)
    return Series(name=name, source="evaluation", steps=steps, times=steps, values=array)


@pytest.mark.parametrize(
    ("name", "split", "family"),
    [
        ("valid/accuracy", "valid", "accuracy"),
        ("test/species/accuracy", "test", "species/accuracy"),
        ("species/accuracy", "", "species/accuracy"),
        ("lr", "", "lr"),
        ("train", "", "train"),
    ],
)
def test_names_are_split_and_family(name, split, family):
    assert split_of(name) == split
    assert family_of(name) == family


def test_panels_go_from_the_loss_to_the_learning_rate():
    names = ["lr", "valid/f1", "valid/loss", "samples_per_s", "valid/accuracy", "train/loss"]
    panels = arrange(names, {"accuracy": True})
    assert [panel.family for panel in panels] == ["loss", "f1", "accuracy", "lr", "samples_per_s"]
    assert panels[0].names == ("train/loss", "valid/loss")
    assert [panel.higher_is_better for panel in panels] == [False, None, True, None, None]
    assert [panel.minor for panel in panels] == [False, False, False, True, True]


def test_patterns_choose_metrics(small_run):
    runs = [read_curves(small_run())]
    assert select(runs, []) == ["train/loss", "lr", "valid/loss", "valid/accuracy"]
    assert select(runs, ["valid/*", "lr"]) == ["lr", "valid/loss", "valid/accuracy"]


def test_throughput_is_drawn_when_asked_for(make_run):
    metrics = {"metrics": {"train/loss": 1.0, "samples_per_s": 9.0}}
    runs = [read_curves(make_run("fast", [("log", 1, 0, metrics)]))]
    assert select(runs, []) == ["train/loss"]
    assert select(runs, ["samples*"]) == ["samples_per_s"]


def test_a_pattern_without_a_match_names_what_there_is(small_run):
    runs = [read_curves(small_run("one")), read_curves(small_run("two"))]
    with pytest.raises(ConfigError) as caught:
        select(runs, ["valid/*", "valid/acuracy"])
    assert str(caught.value) == (
        "no metric is called 'valid/acuracy'; did you mean 'valid/accuracy'? In one, two. "
        "Fix: choose from lr, train/loss, valid/accuracy, valid/loss, or a pattern such as "
        "'valid/*'."
    )


def test_best_follows_the_direction_and_is_the_first_of_equals(small_run):
    run = read_curves(small_run())
    assert best_index(run, evaluation("valid/accuracy", 0.5, 0.9, 0.9, 0.7), ACCURACY) == 1
    assert best_index(run, evaluation("valid/loss", 0.5, 0.3, 0.3), LOSS) == 1


def test_best_is_never_a_value_that_is_no_number(small_run):
    run = read_curves(small_run())
    assert best_index(run, evaluation("valid/accuracy", np.inf, np.nan, 0.2), ACCURACY) == 2
    assert best_index(run, evaluation("valid/loss", -np.inf, 0.4, np.nan), LOSS) == 1
    assert best_index(run, evaluation("valid/loss", np.nan, np.nan), LOSS) is None


def test_best_is_the_runs_own_choice_where_it_made_one(small_run):
    best = {"metric": "valid/f1", "value": 0.3, "step": 20}
    run = replace(read_curves(small_run()), best=best)
    panel = Panel(family="f1", names=("valid/f1",))
    assert best_index(run, evaluation("valid/f1", 0.1, 0.3, 0.9), panel) == 1
    assert best_index(run, evaluation("valid/other", 0.1, 0.3, 0.9), panel) is None


def test_training_numbers_have_no_best(small_run):
    run = read_curves(small_run())
    panel = Panel(family="loss", names=("train/loss",), higher_is_better=False)
    assert best_index(run, run.series["train/loss"], panel) is None
