from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from gatle.errors import ConfigError
from gatle.metrics import Accuracy, TopKAccuracy

SCORES = [[0.1, 0.9, 0.5, 0.3], [0.4, 0.3, 0.2, 0.1], [0.0, 1.0, 2.0, 3.0]]


def batch(*targets, dtype=torch.int64):
    return SimpleNamespace(targets=torch.tensor(targets, dtype=dtype))


def share(scores, targets, k):
    metric = TopKAccuracy(k=k)
    metric.update(torch.as_tensor(scores), SimpleNamespace(targets=torch.as_tensor(targets)))
    (value,) = metric.compute().values()
    return value


@pytest.mark.parametrize(("k", "expected"), [(1, 0), (2, 1 / 3), (3, 2 / 3), (4, 1), (9, 1)])
def test_the_share_computed_by_hand(k, expected):
    # Places of the classes 2, 2 and 0: second, third and last.
    assert share(SCORES, [2, 2, 0], k) == expected


def test_the_number_is_called_by_k_and_is_5_if_nothing_is_said():
    assert list(TopKAccuracy().compute()) == ["accuracy_top5"]
    assert list(TopKAccuracy(k=3).compute()) == ["accuracy_top3"]


def test_of_equal_scores_the_lower_class_comes_first():
    flat = torch.zeros(4, 4)
    assert [share(flat, [0, 1, 2, 3], k) for k in (1, 2, 3, 4)] == [0.25, 0.5, 0.75, 1]


def test_a_score_that_is_not_a_number_is_never_right_and_comes_before_all_others():
    assert share([[math.nan, 1.0, 0.0]], [0], 3) == 0
    assert share([[math.nan, 1.0, 0.0]], [1], 1) == 0
    assert share([[math.nan, 1.0, 0.0]], [1], 2) == 1


def test_a_target_that_is_no_class_is_never_right():
    assert share(SCORES, [-100, 4, 0], 9) == 1 / 3


@pytest.mark.parametrize("k", [1, 2, 5, 7])
def test_it_is_that_of_a_stable_order(k):
    scores = np.random.default_rng(0).integers(0, 5, (200, 7)).astype(np.float32)
    targets = np.random.default_rng(1).integers(0, 7, 200)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    assert share(scores, targets, k) == (best == targets[:, None]).any(axis=1).mean()


def test_with_k_of_1_it_is_the_accuracy():
    scores = torch.randn(100, 5, generator=torch.Generator().manual_seed(0)).round()
    targets = torch.arange(100) % 5
    accuracy = Accuracy()
    accuracy.update(scores, SimpleNamespace(targets=targets))
    assert share(scores, targets, 1) == accuracy.compute()["accuracy"]


def test_small_labels_are_taken():
    metric = TopKAccuracy(k=2)
    metric.update(torch.tensor(SCORES), batch(2, 2, 0, dtype=torch.uint8))
    assert metric.compute() == {"accuracy_top2": 1 / 3}


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "5"])
def test_a_k_that_counts_nothing_is_refused(k):
    with pytest.raises(ConfigError) as caught:
        TopKAccuracy(k=k)
    assert str(caught.value) == (
        f"accuracy-top5 expects k to be a whole number of at least 1, got {k!r}. "
        "Fix: write for example params = { k = 3 }."
    )


def test_targets_that_are_no_class_numbers_are_named():
    with pytest.raises(ConfigError, match=r"accuracy-top5 expects .* got \(3, 4\) and \(2,\)"):
        TopKAccuracy().update(torch.tensor(SCORES), batch(0, 1))
