from __future__ import annotations

import torch

from gatle.data import derived_seed, permutation


def test_an_order_is_a_function_of_seed_and_epoch():
    torch.manual_seed(3)
    first = permutation(100, seed=1, epoch=2)
    torch.manual_seed(4)
    assert torch.equal(permutation(100, seed=1, epoch=2), first)
    assert first.sort().values.tolist() == list(range(100))
    assert not torch.equal(permutation(100, seed=1, epoch=3), first)
    assert not torch.equal(permutation(100, seed=2, epoch=2), first)


def test_an_order_draws_nothing_from_the_global_generator():
    before = torch.get_rng_state()
    permutation(100, seed=1, epoch=2)
    assert torch.equal(torch.get_rng_state(), before)


def test_an_order_is_the_same_in_every_version():
    assert permutation(8, seed=0, epoch=0).tolist() == [7, 1, 3, 0, 5, 4, 6, 2]


def test_seeds_of_two_purposes_differ():
    assert derived_seed(1, "order", 12) != derived_seed(11, "order", 2)
    assert 0 <= derived_seed(0) < 2**63
