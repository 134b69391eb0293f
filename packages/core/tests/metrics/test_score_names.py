"""The number by which the best is chosen has the name that a record shows."""

from __future__ import annotations

import pytest

import gatle
from gatle.errors import ConfigError
from gatle.metrics import Accuracy

TOP3 = gatle.Metric(name="accuracy-top5", params={"k": 3})


@pytest.mark.parametrize(
    ("metrics", "score", "name"),
    [
        ([TOP3], None, "valid/accuracy_top3"),
        (["macro-f1", TOP3], None, "valid/macro_f1"),
        (["accuracy", TOP3], "valid/accuracy_top3", "valid/accuracy_top3"),
        (["accuracy", "balanced-accuracy"], "valid/balanced_accuracy", "valid/balanced_accuracy"),
    ],
)
def test_the_best_is_chosen_by_the_number_and_found(tiny, tmp_path, manager, metrics, score, name):
    config = tiny(metrics=metrics, checkpoint=gatle.Checkpoint(score=score))
    run = gatle.train(config, runs=tmp_path, manager=manager)
    assert (run.best.metric, run.best.value) == (name, run.metrics[name])
    assert 0 < run.best.value < 1


@pytest.mark.parametrize(
    ("metric", "score", "says"),
    [
        ("macro-f1", "valid/macro-f1", "did you mean 'valid/macro_f1'?"),
        (TOP3, "valid/accuracy_top5", "choose one of valid/loss, valid/accuracy_top3."),
    ],
)
def test_another_name_is_refused_before_the_run(tiny, tmp_path, manager, metric, score, says):
    config = tiny(metrics=[metric], checkpoint=gatle.Checkpoint(score=score))
    with pytest.raises(ConfigError) as caught:
        gatle.train(config, runs=tmp_path, manager=manager)
    assert says in str(caught.value)
    assert list(tmp_path.iterdir()) == []


class Renamed(Accuracy):
    """Gives its number under a name that is not its own."""

    def compute(self):
        return {"share": super().compute()["accuracy"]}


class OnlyWithData(Renamed):
    def compute(self):
        if self._true is None:
            raise RuntimeError("nothing to compute")
        return super().compute()


class TakesTheLoss(Accuracy):
    def compute(self):
        return {"loss": 0.0}


def test_a_metric_of_the_users_may_call_its_number_as_it_likes(tiny, tmp_path, manager):
    config = tiny(metrics=[Renamed])
    run = gatle.train(config, runs=tmp_path, manager=manager)
    assert run.best.metric == "valid/share"


def test_a_score_that_no_evaluation_gives_ends_the_run_at_the_first_one(tiny, tmp_path, manager):
    with pytest.raises(ConfigError) as caught:
        gatle.train(tiny(metrics=[OnlyWithData]), runs=tmp_path, manager=manager)
    assert str(caught.value) == (
        "no evaluation gives the score 'valid/OnlyWithData'. "
        "Fix: set checkpoint.score to one of valid/loss, valid/share."
    )


def test_a_metric_cannot_take_the_name_of_another_number(tiny, tmp_path, manager):
    with pytest.raises(ConfigError) as caught:
        gatle.train(tiny(metrics=[TakesTheLoss]), runs=tmp_path, manager=manager)
    assert str(caught.value) == (
        "metric 'TakesTheLoss' gives a number called 'loss', which is there already. "
        "Fix: give it another name in what compute() returns."
    )
