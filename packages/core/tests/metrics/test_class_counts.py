from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from gatle.errors import ConfigError
from gatle.metrics import BalancedAccuracy, ClassCounts, MacroF1

# Class 0: 2 of 3 right, class 1: 1 of 1, class 2 never occurs and is predicted once, class 3 never.
TARGETS, PREDICTED = [0, 0, 0, 1], [0, 0, 2, 1]


def count(metric, predicted, targets, *, classes=4, dtype=torch.int64):
    outputs = torch.eye(classes)[torch.as_tensor(predicted)]
    metric.update(outputs, SimpleNamespace(targets=torch.as_tensor(targets, dtype=dtype)))
    return metric


def counts(metric):
    return {key: value.tolist() for key, value in metric.state().items()}


def test_counts_by_hand():
    assert counts(count(ClassCounts(), PREDICTED, TARGETS)) == {
        "hits": [2, 1, 0, 0],
        "targets": [3, 1, 0, 0],
        "predictions": [2, 1, 1, 0],
    }


def test_a_class_without_samples_has_no_recall():
    metric = count(BalancedAccuracy(num_classes=4), PREDICTED, TARGETS)
    assert metric.compute() == {"balanced_accuracy": pytest.approx((2 / 3 + 1) / 2, abs=1e-15)}


def test_a_class_that_is_only_predicted_has_an_f1_of_0():
    metric = count(MacroF1(num_classes=4), PREDICTED, TARGETS)
    assert metric.compute() == {"macro_f1": pytest.approx((4 / 5 + 1 + 0) / 3, abs=1e-15)}


def recalls(targets, predicted):
    classes = np.unique(targets)
    return np.mean([(predicted[targets == c] == c).mean() for c in classes])


def harmonic_means(targets, predicted):
    found = []
    for c in np.union1d(targets, predicted):
        hits = ((targets == c) & (predicted == c)).sum()
        precision = hits / max((predicted == c).sum(), 1)
        recall = hits / max((targets == c).sum(), 1)
        found.append(2 * precision * recall / (precision + recall) if hits else 0.0)
    return np.mean(found)


@pytest.mark.parametrize(
    ("metric", "reference"), [(BalancedAccuracy(), recalls), (MacroF1(), harmonic_means)]
)
def test_it_is_what_the_plain_formula_gives(metric, reference):
    random = np.random.default_rng(0)
    targets, predicted = random.integers(0, 9, 300), random.integers(2, 12, 300)
    for start in range(0, 300, 70):
        part = slice(start, start + 70)
        count(metric, predicted[part], targets[part], classes=12)
    (value,) = metric.compute().values()
    assert value == pytest.approx(reference(targets, predicted), abs=1e-14)


@pytest.mark.parametrize("metric", [BalancedAccuracy(), MacroF1(num_classes=3)])
def test_nothing_counted_is_no_number(metric):
    (value,) = metric.compute().values()
    assert math.isnan(value)
    metric.load_state(metric.state())
    (value,) = metric.compute().values()
    assert math.isnan(value)


def test_counts_grow_with_the_outputs():
    metric = count(ClassCounts(num_classes=2), [0, 1], [0, 0], classes=3)
    count(metric, [4], [4], classes=5)
    count(metric, [1], [1], classes=3)
    assert counts(metric) == {
        "hits": [1, 1, 0, 0, 1],
        "targets": [2, 1, 0, 0, 1],
        "predictions": [1, 2, 0, 0, 1],
    }


def test_a_rank_without_a_batch_has_zeros_for_as_many_classes_as_are_known():
    assert counts(ClassCounts(num_classes=2))["hits"] == [0, 0]
    assert counts(ClassCounts())["hits"] == 0


def test_a_sample_of_no_class_counts_among_the_predictions_alone():
    metric = count(ClassCounts(), [0, 1, 1], [-100, 1, 7], classes=2)
    assert counts(metric) == {"hits": [0, 1], "targets": [0, 1], "predictions": [1, 2]}


def test_small_labels_are_taken():
    small = count(ClassCounts(), PREDICTED, TARGETS, dtype=torch.uint8)
    assert counts(small) == counts(count(ClassCounts(), PREDICTED, TARGETS))


@pytest.mark.parametrize("metric", [BalancedAccuracy(), MacroF1()])
def test_targets_that_are_no_class_numbers_are_named(metric):
    with pytest.raises(ConfigError) as caught:
        count(metric, [0, 1], [[0], [1]], classes=3)
    assert str(caught.value) == (
        f"{metric.name} expects outputs[N, C] and targets[N], got (2, 3) and (2, 1). "
        "Fix: check what the model returns and what prep_batch gives it."
    )
