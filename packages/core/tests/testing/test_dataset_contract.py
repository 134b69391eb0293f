"""The suite for data sets catches data sets that break a promise."""

from __future__ import annotations

import pytest
import torch
from torch.utils.data import TensorDataset

import gatle
from gatle.testing import DatasetContract


class TooLong(TensorDataset):
    def __len__(self):
        return super().__len__() + 1


class Ragged(TensorDataset):
    def __getitem__(self, index):
        return torch.zeros(index + 1), 0


def part(start=0, *, size=6, kind=TensorDataset):
    images = torch.arange(start, start + size).float().view(-1, 1, 1, 1).expand(-1, 1, 2, 2)
    return kind(images, torch.arange(size) % 3)


def facts(*, classes=(), **values):
    return lambda: gatle.Splits(train=part(), classes=classes, facts=values)


def shuffled():
    return {"train": TensorDataset(torch.rand(6, 1), torch.zeros(6, dtype=torch.int64))}


def growing(sizes=[5]):  # noqa: B006  the state between two calls is the defect
    sizes[0] += 1
    return {"train": part(size=sizes[0])}


DEFECTS = [
    ("test_gives_splits", lambda: [part()], "must return gatle.Splits or a mapping"),
    ("test_gives_splits", lambda: {"train": iter(())}, "has no length"),
    ("test_sizes_are_true", lambda: {"train": part(kind=TooLong)}, "has length 7, but no sample 6"),
    (
        "test_gives_splits",
        lambda: {"train": part(), "test": part(size=0)},
        "the test split is empty",
    ),
    (
        "test_splits_share_no_sample",
        lambda: {"train": part(), "valid": part(4)},
        "2 samples of valid are in train too, the first is number 0",
    ),
    ("test_is_deterministic", shuffled, "built again, sample 0 of train is another"),
    ("test_is_deterministic", growing, "sizes differ"),
    ("test_samples_make_batches", lambda: {"train": part(kind=Ragged)}, "train make no batch"),
    ("test_facts_are_true", facts(num_classes=2), r"num_classes is 2, there are labels \{2\}"),
    ("test_facts_are_true", facts(colours=3), r"unknown facts \['colours'\]"),
    (
        "test_facts_are_true",
        facts(num_classes=3, classes=("a", "b")),
        "num_classes is 3, classes names 2",
    ),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(DatasetContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(DatasetContract, DEFECTS)


class TestGood(DatasetContract):
    """The data set that the defects are made from has none."""

    name = "planted"
    module = "planted_plugin"

    @pytest.fixture(autouse=True)
    def _planted(self, plant):
        plant(DatasetContract, lambda: {"train": part(), "valid": part(6), "test": part(12)})
