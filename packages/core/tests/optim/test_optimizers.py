from __future__ import annotations

import pytest
import torch

from gatle.optim import adam, adamw, sgd


def stepped(make, **settings):
    weights = torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
    optimizer = make([weights], **settings)
    for _ in range(3):
        (weights**2).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    return weights.detach()


@pytest.mark.parametrize(
    ("ours", "torchs", "settings"),
    [
        (adam, torch.optim.Adam, {"lr": 0.1, "betas": [0.8, 0.9], "weight_decay": 0.1}),
        (adamw, torch.optim.AdamW, {"lr": 0.1, "betas": [0.8, 0.9], "weight_decay": 0.1}),
        (sgd, torch.optim.SGD, {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.1, "nesterov": True}),
    ],
)
def test_the_plain_loop_is_torchs_bit_for_bit_and_the_fused_one_close_to_it(ours, torchs, settings):
    expected = stepped(torchs, **settings)
    assert torch.equal(stepped(ours, fused=False, **settings), expected)
    torch.testing.assert_close(stepped(ours, **settings), expected)


def test_groups_keep_their_own_rates():
    weights = [torch.nn.Parameter(torch.zeros(1)) for _ in range(2)]
    groups = [{"params": [weights[0]], "lr": 0.5}, {"params": [weights[1]]}]
    assert [group["lr"] for group in sgd(groups, lr=0.1).param_groups] == [0.5, 0.1]
