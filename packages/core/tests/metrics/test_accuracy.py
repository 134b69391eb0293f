from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch

from gatle.errors import ConfigError
from gatle.metrics import Accuracy


def batch(*targets):
    return SimpleNamespace(targets=torch.tensor(targets))


def outputs(*classes):
    return torch.eye(3)[list(classes)]


@pytest.fixture
def two_of_three():
    metric = Accuracy()
    metric.update(outputs(0, 1), batch(0, 2))
    metric.update(outputs(2), batch(2))
    return metric


def test_samples_are_counted_and_not_batches(two_of_three):
    assert two_of_three.compute() == {"accuracy": 2 / 3}


def test_states_add_up_to_the_state_of_the_whole(two_of_three):
    other = Accuracy()
    other.update(outputs(0, 0, 0), batch(1, 1, 0))
    total = {key: value + other.state()[key] for key, value in two_of_three.state().items()}
    both = Accuracy()
    both.load_state(total)
    assert both.compute() == {"accuracy": 3 / 6}


def test_a_rank_without_a_batch_adds_nothing(two_of_three):
    empty = Accuracy().state()
    assert {key: int(value) for key, value in empty.items()} == {"correct": 0, "count": 0}


def test_nothing_is_left_after_a_reset(two_of_three):
    two_of_three.reset()
    assert math.isnan(two_of_three.compute()["accuracy"])


def test_targets_that_are_no_class_numbers_are_named_and_not_broadcast():
    with pytest.raises(ConfigError) as caught:
        Accuracy().update(outputs(0, 1), batch([0], [1]))
    assert str(caught.value) == (
        "accuracy expects outputs[N, C] and targets[N], got (2, 3) and (2, 1). "
        "Fix: check what the model returns and what prep_batch gives it."
    )
