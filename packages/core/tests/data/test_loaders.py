from __future__ import annotations

import pytest
import torch
from torch.utils.data import Dataset, TensorDataset

from gatle.data import make_loader
from gatle.errors import ConfigError

ROWS = TensorDataset(torch.arange(10), torch.arange(10) * 2)


class Samples(Dataset):
    """The same rows, one by one."""

    def __len__(self):
        return len(ROWS)

    def __getitem__(self, index):
        return ROWS[index]


def batches(dataset, epoch, **settings):
    loader = make_loader(dataset, seed=5, **settings)
    loader.set_epoch(epoch)
    found = [[part.tolist() for part in batch] for batch in loader]
    assert len(found) == len(loader)
    return found


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("drop_last", [False, True])
def test_rows_and_samples_come_in_the_same_batches(shuffle, drop_last):
    settings = {"batch_size": 4, "shuffle": shuffle, "drop_last": drop_last}
    for epoch in (0, 1):
        found = batches(ROWS, epoch, **settings)
        assert found == batches(Samples(), epoch, **settings)
        assert [len(inputs) for inputs, _ in found] == ([4, 4] if drop_last else [4, 4, 2])
        assert all(
            b == 2 * a for inputs, targets in found for a, b in zip(inputs, targets, strict=True)
        )


def test_an_epoch_sees_every_row_once_and_the_next_in_another_order():
    first, second = (batches(ROWS, epoch, batch_size=3, shuffle=True) for epoch in (0, 1))
    for found in (first, second):
        assert sorted(row for inputs, _ in found for row in inputs) == list(range(10))
    assert first != second


def test_worker_processes_change_no_batch():
    settings = {"batch_size": 4, "shuffle": True}
    assert batches(Samples(), 1, workers=1, **settings) == batches(Samples(), 1, **settings)


class Noise(Samples):
    """A random number per row, as an augmentation draws it."""

    def __getitem__(self, index):
        return torch.rand(()), index


def test_what_workers_draw_depends_on_seed_and_epoch_alone():
    torch.manual_seed(1)
    first = batches(Noise(), 1, batch_size=4, workers=1)
    torch.manual_seed(2)
    assert batches(Noise(), 1, batch_size=4, workers=1) == first
    assert batches(Noise(), 2, batch_size=4, workers=1) != first


def test_reading_batches_draws_nothing_from_the_global_generator():
    before = torch.get_rng_state()
    batches(Samples(), 0, batch_size=4, shuffle=True)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_batch_size_that_leaves_no_batch_is_refused():
    with pytest.raises(ConfigError) as caught:
        make_loader(ROWS, batch_size=11, seed=0, drop_last=True)
    assert str(caught.value) == (
        "drop_last leaves no batch: 10 samples, batch size 11. "
        "Fix: lower data.batch_size or set data.drop_last = false."
    )
    assert len(make_loader(ROWS, batch_size=11, seed=0)) == 1
