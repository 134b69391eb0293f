"""Muon with AdamW, against torch's two optimizers side by side."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional

import gatle
from gatle.errors import ConfigError
from gatle.optim import muon
from gatle.optim.muon import hidden_matrices
from gatle.plugins import PluginManager


class Net(nn.Module):
    """A convolution, a hidden layer and an output layer."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.convolution = nn.Conv2d(2, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.hidden = nn.Linear(4 * 4, 6)
        self.head = nn.Linear(6, 3)

    def forward(self, images):
        maps = functional.relu(self.norm(self.convolution(images)))
        return self.head(functional.relu(self.hidden(maps.flatten(1))))


class FlatNet(Net):
    """The same network, whose kernel is kept as a matrix."""

    def __init__(self):
        super().__init__()
        self.kernel = nn.Parameter(self.convolution.weight.detach().flatten(1))
        del self.convolution.weight

    def forward(self, images):
        self.convolution.weight = self.kernel.view(4, 2, 3, 3)
        return super().forward(images)


IMAGES = torch.randn(8, 2, 4, 4, generator=torch.Generator().manual_seed(1))


def steps(model, *optimizers, count=5, images=IMAGES):
    for _ in range(count):
        model(images).square().mean().backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()


def built(model, **settings):
    return muon(list(model.parameters()), model=model, fused=False, **settings)


def by_hand(**settings):
    """Return the flat network after steps of torch's own two optimizers."""
    model = FlatNet()
    matrices = [model.kernel, model.hidden.weight]
    rest = [p for p in model.parameters() if all(p is not m for m in matrices)]
    first = torch.optim.Muon(matrices, weight_decay=0.1, **settings)
    steps(model, first, torch.optim.AdamW(rest, lr=0.01, weight_decay=0.1, foreach=False))
    return model


@pytest.mark.parametrize(
    ("ours", "torchs"),
    [
        ({"lr": 0.01}, {"lr": 0.01, "adjust_lr_fn": "match_rms_adamw"}),
        (
            {"lr": 0.02, "adamw_rate": 0.5, "adjust_lr": "original", "ns_steps": 3},
            {"lr": 0.02, "ns_steps": 3},
        ),
        (
            {"lr": 0.01, "momentum": 0.5, "nesterov": False},
            {"lr": 0.01, "momentum": 0.5, "nesterov": False, "adjust_lr_fn": "match_rms_adamw"},
        ),
    ],
)
def test_it_is_torchs_muon_and_adamw_bit_for_bit(ours, torchs, one_thread):
    model, expected = Net(), by_hand(**torchs)
    steps(model, built(model, weight_decay=0.1, **ours))
    assert torch.equal(model.convolution.weight.flatten(1), expected.kernel)
    for name in ("norm", "hidden", "head"):
        for mine, theirs in zip(
            getattr(model, name).parameters(), getattr(expected, name).parameters(), strict=True
        ):
            assert torch.equal(mine, theirs)


def test_a_kernel_in_another_memory_layout_moves_the_same(one_thread):
    plain, other = Net(), Net().to(memory_format=torch.channels_last)
    assert not other.convolution.weight.is_contiguous()
    optimizers = built(plain, lr=0.01), built(other, lr=0.01)
    torch.manual_seed(2)
    for _ in range(3):
        for mine, theirs in zip(plain.parameters(), other.parameters(), strict=True):
            mine.grad = torch.randn(mine.shape)
            theirs.grad = torch.empty_like(theirs).copy_(mine.grad)
        for optimizer in optimizers:
            optimizer.step()
    assert not torch.equal(plain.convolution.weight, Net().convolution.weight)
    for mine, theirs in zip(plain.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    assert not other.convolution.weight.is_contiguous()


def test_groups_are_cut_and_every_part_follows_its_rate(one_thread):
    model = Net()
    head = [model.head.weight, model.head.bias]
    others = [p for p in model.parameters() if all(p is not h for h in head)]
    groups = [{"params": others, "weight_decay": 0.0}, {"params": head, "lr": 0.5}]
    optimizer = muon(groups, model=model, lr=0.1, adamw_rate=0.2)
    found = [(g["matrices"], g["lr"], g["weight_decay"]) for g in optimizer.param_groups]
    assert found == [(True, 0.1, 0.0), (False, pytest.approx(0.02), 0.0), (False, 0.1, 0.01)]
    for stays in range(3):
        for index, group in enumerate(optimizer.param_groups):
            group["lr"] = 0.0 if index == stays else 0.1
        before = [[p.detach().clone() for p in g["params"]] for g in optimizer.param_groups]
        steps(model, optimizer, count=1)
        for index, (group, old) in enumerate(zip(optimizer.param_groups, before, strict=True)):
            moved = [not torch.equal(a, b) for a, b in zip(group["params"], old, strict=True)]
            assert not any(moved) if index == stays else all(moved)


def test_it_goes_on_from_a_saved_state_with_the_same_bits(tmp_path, one_thread):
    model, resumed = Net(), Net()
    optimizer = muon(list(model.parameters()), model=model)
    steps(model, optimizer)
    torch.save(optimizer.state_dict(), tmp_path / "state.pt")
    resumed.load_state_dict(model.state_dict())
    again = muon(list(resumed.parameters()), model=resumed)
    again.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    steps(model, optimizer)
    steps(resumed, again)
    for mine, theirs in zip(model.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_a_model_that_moved_after_the_optimizer_was_built_still_learns():
    model = Net()
    optimizer = built(model, lr=0.01)
    model.convolution.weight.data = model.convolution.weight.data.clone()
    before = model.convolution.weight.detach().clone()
    steps(model, optimizer, count=1)
    assert not torch.equal(model.convolution.weight, before)


class Sequence(nn.Module):
    """Every kind of parameter that is no hidden matrix, and a tied output layer."""

    def __init__(self):
        super().__init__()
        self.position = nn.Parameter(torch.zeros(1, 3, 4))
        self.embedding = nn.Embedding(5, 4)
        self.mixer = nn.Conv1d(4, 4, 3)
        self.up = nn.ConvTranspose2d(2, 2, 2)
        self.norm = nn.LayerNorm((3, 4))
        self.attention = nn.MultiheadAttention(4, 2)
        self.head = nn.Linear(4, 5)
        self.head.weight = self.embedding.weight


def names_of(model, parameters):
    return {name for name, p in model.named_parameters() if any(p is q for q in parameters)}


def test_hidden_matrices_are_told_by_their_modules():
    model = Sequence()
    assert names_of(model, hidden_matrices(model)) == {
        "mixer.weight",
        "attention.in_proj_weight",
        "attention.out_proj.weight",
    }
    assert names_of(model, hidden_matrices(model, ["mixer", "attention.in_*"])) == {
        "attention.out_proj.weight"
    }
    plain = Net()
    assert names_of(plain, hidden_matrices(plain)) == {"convolution.weight", "hidden.weight"}
    assert "head.weight" in names_of(plain, hidden_matrices(plain, []))


def test_a_name_that_is_no_matrix_is_refused():
    with pytest.raises(ConfigError) as caught:
        hidden_matrices(Net(), ["hiden"])
    assert str(caught.value) == (
        "'hiden' matches no matrix; did you mean 'hidden'? (the model has convolution, hidden, "
        "head). In optimizer.params.adamw. "
        "Fix: write the path of a module or a parameter, or a glob such as '*.bias'."
    )


def test_a_model_without_a_hidden_matrix_is_refused():
    model = nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 2))
    with pytest.raises(ConfigError) as caught:
        built(model)
    assert str(caught.value) == (
        "optimizer 'muon' found no hidden matrix among the trained parameters. In optimizer. "
        "Fix: use 'adamw'."
    )


def test_it_returns_the_loss_of_a_closure():
    model = Net()
    optimizer = built(model)

    def closure():
        loss = model(IMAGES).square().mean()
        loss.backward()
        return loss

    assert optimizer.step(closure).requires_grad


def test_a_run_leaves_the_output_layer_to_adamw(tiny, tmp_path):
    config = tiny(optimizer=gatle.Optimizer(name="muon", clip_norm=1.0))
    run = gatle.train(config, runs=tmp_path, name="run", manager=PluginManager())
    saved = torch.load(run.checkpoint / "training.pt", weights_only=True)
    groups = saved["optimizer"]["param_groups"]
    assert [(group["matrices"], len(group["params"])) for group in groups] == [
        (True, 3),
        (False, 8),
    ]
