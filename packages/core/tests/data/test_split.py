from __future__ import annotations

import torch

from gatle.data import stratified


def test_rows_are_cut_into_parts_that_hold_every_class_in_proportion():
    labels = torch.tensor([0] * 50 + [1] * 30 + [2] * 20)
    parts = stratified(labels, shares=(0.8, 0.1, 0.1), seed=0)
    assert torch.cat(parts).sort().values.tolist() == list(range(100))
    assert [labels[part].bincount().tolist() for part in parts] == [
        [40, 24, 16],
        [5, 3, 2],
        [5, 3, 2],
    ]
    assert all(torch.equal(part, part.sort().values) for part in parts)


def test_a_class_of_one_row_is_in_one_part():
    parts = stratified(torch.tensor([0, 1, 1, 1]), shares=(0.5, 0.5), seed=0)
    assert sorted(torch.cat(parts).tolist()) == [0, 1, 2, 3]
