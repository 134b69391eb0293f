from __future__ import annotations

import torch
from torch.utils.data import TensorDataset

from gatle.data import Splits, fingerprint


def test_rows_in_memory_have_a_digest_that_a_single_value_changes():
    rows = torch.arange(6.0)
    same = fingerprint(Splits(train=TensorDataset(rows.clone())))
    assert fingerprint(Splits(train=TensorDataset(rows))) == same
    rows[3] = 9
    assert fingerprint(Splits(train=TensorDataset(rows))) != same
    assert fingerprint(Splits(train=TensorDataset(rows.reshape(2, 3)))) != same


def test_other_data_are_counted():
    assert fingerprint(Splits(train=[1, 2], test=[3])) == {
        "train": {"samples": 2},
        "test": {"samples": 1},
    }
