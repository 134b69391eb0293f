from __future__ import annotations

import pytest

from gatle.data import Splits, as_splits
from gatle.errors import ConfigError


def test_a_mapping_by_split_is_taken():
    splits = as_splits({"train": [1, 2], "test": [3]}, name="mine")
    assert splits.sizes == {"train": 2, "test": 1}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            [1],
            "data set 'mine' must return gatle.Splits or a mapping with 'train', got list. "
            "Fix: return gatle.Splits(train=..., valid=..., test=...).",
        ),
        (
            {"train": [1], "val": [2]},
            "data set 'mine' must return gatle.Splits or a mapping with 'train', "
            "got ['train', 'val']. Fix: return gatle.Splits(train=..., valid=..., test=...).",
        ),
        (
            {"train": None},
            "data set 'mine': there is no train split. "
            "Fix: return gatle.Splits(train=..., valid=..., test=...).",
        ),
        (
            Splits(train=[]),
            "data set 'mine': the train split is empty. Fix: give it at least one sample.",
        ),
        (
            Splits(train=[1], valid=[]),
            "data set 'mine': the valid split is empty. Fix: give it at least one sample, or None.",
        ),
        (
            Splits(train=[1], valid=iter([1])),
            "data set 'mine': the valid split (list_iterator) has no length. "
            "Fix: give it __len__ and __getitem__.",
        ),
    ],
)
def test_what_is_no_data_set_is_refused(value, message):
    with pytest.raises(ConfigError) as caught:
        as_splits(value, name="mine")
    assert str(caught.value) == message
