from __future__ import annotations

import pytest
import torch
from torch.utils.data import Subset, TensorDataset

import gatle
from gatle.data.digits import digits
from gatle.data.overlap import refuse_shared_rows, shared_rows
from gatle.errors import DataError


def rows(start: int, stop: int, *, shape=(2, 3)) -> TensorDataset:
    numbers = torch.arange(start, stop, dtype=torch.float32).reshape(-1, 1, 1)
    return TensorDataset(numbers.expand(-1, *shape).contiguous(), torch.zeros(stop - start))


@pytest.mark.parametrize(
    ("train", "valid", "count"),
    [
        (rows(0, 10), rows(10, 20), 0),
        (rows(0, 10), rows(7, 12), 3),
        (rows(0, 10), rows(0, 10), 10),
        (rows(0, 4), TensorDataset(rows(0, 4).tensors[0].double(), torch.zeros(4)), 0),
    ],
)
def test_rows_are_compared_by_content(train, valid, count):
    assert shared_rows(train, valid) == count


def test_subsets_of_one_data_set_are_compared_by_index():
    whole = rows(0, 10)
    assert shared_rows(Subset(whole, [0, 1, 2]), Subset(whole, [2, 3, 0])) == 2
    assert shared_rows(Subset(whole, [0]), Subset(rows(0, 10), [0])) == 0


def test_the_digits_share_nothing():
    refuse_shared_rows(digits())


def leaking() -> gatle.Splits:
    """Validate on rows that are trained on."""
    whole = digits()
    return gatle.Splits(train=whole.train, valid=whole.train, facts=whole.facts)


def test_a_leak_is_refused_before_the_run_unless_the_config_says_so(tiny, tmp_path, manager):
    with pytest.raises(DataError) as caught:
        gatle.train(tiny(data=gatle.Data(name=leaking)), runs=tmp_path, manager=manager)
    assert str(caught.value) == (
        "1,258 rows of the valid split are in the train split too. "
        "Fix: take them out of one, or set data.allow_shared_rows = true."
    )
    assert list(tmp_path.iterdir()) == []
    allowed = gatle.Data(name=leaking, allow_shared_rows=True, batch_size=256)
    assert gatle.train(tiny(data=allowed), runs=tmp_path, manager=manager).status == "finished"
