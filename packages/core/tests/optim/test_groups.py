"""Groups by rule, against groups written by hand."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

import gatle
from gatle.config.schema import Optimizer as Rules
from gatle.errors import ConfigError
from gatle.optim import Span, adamw, make_groups
from gatle.plugins import PluginManager
from gatle.trainer.step import set_learning_rates


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.dense = nn.Linear(4, 4)


class Backbone(nn.Module):
    """Embeddings, two blocks, and something without parameters between them."""

    def __init__(self):
        super().__init__()
        self.position = nn.Parameter(torch.zeros(1, 4))
        self.blocks = nn.Sequential(Block(), nn.ReLU(), Block())
        self.norm = nn.LayerNorm((2, 4))


class Net(nn.Module):
    """A backbone, and a second module that holds `blocks` as well."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(1.0))
        self.backbone = Backbone()
        self.decoder = nn.ModuleDict({"blocks": nn.ModuleList([nn.Linear(4, 4)])})
        self.header = nn.Linear(4, 3)
        self.head = nn.Linear(4, 3)


def settings(model, groups, key):
    """Return a setting of every parameter that is in a group, by name."""
    names = {parameter: name for name, parameter in model.named_parameters()}
    return {names[p]: group.get(key) for group in groups for p in group["params"]}


def test_without_a_rule_there_is_one_group_of_everything_that_is_trained():
    model = Net()
    model.head.bias.requires_grad = False
    [group] = make_groups(model, Rules(), lr=0.1)
    assert set(group) == {"params"}
    assert [id(p) for p in group["params"]] == [
        id(p) for name, p in model.named_parameters() if name != "head.bias"
    ]


def test_norms_and_biases_do_not_decay():
    model = Net()
    groups = make_groups(model, Rules(no_decay="norms-and-biases"))
    assert [set(group) for group in groups] == [{"params", "weight_decay"}, {"params"}]
    decayed = {n for n, decay in settings(model, groups, "weight_decay").items() if decay is None}
    assert decayed == {
        "backbone.position",
        "backbone.blocks.0.dense.weight",
        "backbone.blocks.2.dense.weight",
        "decoder.blocks.0.weight",
        "header.weight",
        "head.weight",
    }


def test_rates_fall_from_the_head_to_the_embeddings_block_by_block():
    model = Net()
    rules = Rules(layer_decay=0.5, layer_decay_blocks="backbone.blocks")
    groups = make_groups(model, rules, lr=0.8)
    rates = settings(model, groups, "lr")
    assert [group["lr"] for group in groups] == [0.1, 0.2, 0.4, 0.8]
    assert rates["scale"] == rates["backbone.position"] == 0.1
    assert {rate for name, rate in rates.items() if name.startswith("backbone.blocks.0")} == {0.2}
    assert {rate for name, rate in rates.items() if name.startswith("backbone.blocks.2")} == {0.4}
    for above in ("backbone.norm.weight", "decoder.blocks.0.weight", "head.bias", "header.bias"):
        assert rates[above] == 0.8


def test_factors_are_for_whole_parts_of_a_path_and_the_longest_counts():
    model = Net()
    rules = Rules(rates={"head": 10.0, "backbone": 0.5, "backbone.blocks": 0.25, "*.position": 3.0})
    rates = settings(model, make_groups(model, rules, lr=1.0), "lr")
    assert rates["head.weight"] == rates["head.bias"] == 10.0
    assert rates["header.weight"] == rates["decoder.blocks.0.weight"] == rates["scale"] == 1.0
    assert rates["backbone.norm.bias"] == 0.5
    assert rates["backbone.blocks.2.dense.bias"] == 0.25
    assert rates["backbone.position"] == 3.0


def test_rules_multiply_and_equal_settings_share_a_group():
    model = Net()
    rules = Rules(
        layer_decay=0.5,
        layer_decay_blocks="backbone.blocks",
        rates={"head": 0.5},
        no_decay="norms-and-biases",
    )
    groups = make_groups(model, rules, lr=1.0)
    keys = [(group["lr"], "weight_decay" in group) for group in groups]
    assert len(keys) == len(set(keys)) == 8
    rates = settings(model, groups, "lr")
    assert rates["head.weight"] == rates["backbone.blocks.2.dense.weight"] == 0.5
    again = make_groups(copy.deepcopy(model), rules, lr=1.0)
    assert [len(group["params"]) for group in again] == [len(group["params"]) for group in groups]


def test_what_is_frozen_is_in_no_group():
    model = Net()
    groups = make_groups(model, Rules(freeze=["backbone", "*.bias"]))
    left = {"scale", "decoder.blocks.0.weight", "header.weight", "head.weight"}
    assert set(settings(model, groups, "lr")) == left
    assert {name for name, p in model.named_parameters() if p.requires_grad} == left


def test_tied_parameters_appear_once():
    model = nn.ModuleDict({"embedding": nn.Embedding(5, 4), "head": nn.Linear(4, 5, bias=False)})
    model.head.weight = model.embedding.weight
    [group] = make_groups(model, Rules(no_decay="norms-and-biases"))
    assert len(group["params"]) == 1
    with pytest.raises(ConfigError, match=r"there is nothing to train\. In optimizer\.freeze"):
        make_groups(model, Rules(freeze=["head"]))


HAS = "(the model has scale, backbone, decoder, header, head)"
WRITE = "Fix: write the path of a module or a parameter, or a glob such as '*.bias'."


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            {"freeze": ["backbon.*"]},
            f"'backbon.*' matches no parameter; did you mean 'backbone'? {HAS}. "
            f"In optimizer.freeze. {WRITE}",
        ),
        (
            {"rates": {"dense": 2.0}},
            f"'dense' matches no trained parameter{{hint}} {HAS}. In optimizer.rates. {WRITE}",
        ),
        (
            {"layer_decay": 0.5, "layer_decay_blocks": "backbone.block"},
            "the model has no module 'backbone.block'; did you mean 'backbone.blocks'? "
            "(the model has backbone, decoder, header, head). In optimizer.layer_decay_blocks. "
            "Fix: write the path of the module with the blocks.",
        ),
        (
            {"layer_decay": 0.5, "layer_decay_blocks": "head"},
            "module 'head', a Linear, contains no modules with parameters. "
            "In optimizer.layer_decay_blocks. "
            "Fix: write the path of the module with the blocks.",
        ),
        (
            {"freeze": ["*"]},
            "every parameter is frozen, so there is nothing to train. In optimizer.freeze. "
            "Fix: freeze less.",
        ),
        (
            {"rates": {"head": 2.0}},
            "layer_decay and rates multiply a learning rate, and the optimizer has no default. "
            "In optimizer. Fix: set optimizer.params.lr.",
        ),
    ],
)
def test_a_rule_that_does_not_fit_the_model(rules, message):
    with pytest.raises(ConfigError) as caught:
        make_groups(Net(), Rules(**rules))
    assert str(caught.value) == message.replace("{hint}", "")


def test_adamw_over_groups_is_torchs_over_the_same_groups_by_hand():
    def steps(model, optimizer):
        torch.manual_seed(1)
        for _ in range(5):
            for parameter in model.parameters():
                parameter.grad = torch.randn_like(parameter)
            optimizer.step()
        return nn.utils.parameters_to_vector(model.parameters())

    ours, theirs = Net(), Net()
    theirs.load_state_dict(ours.state_dict())
    rules = Rules(rates={"head": 10.0}, no_decay="norms-and-biases")
    groups = make_groups(ours, rules, lr=0.01)
    vector = steps(ours, adamw(groups, lr=0.01, weight_decay=0.3, fused=False))
    by_hand = [
        {
            "params": [parameter],
            "lr": 0.1 if name.startswith("head.") else 0.01,
            "weight_decay": 0.0 if parameter.ndim < 2 or ".norm." in name else 0.3,
        }
        for name, parameter in theirs.named_parameters()
    ]
    expected = steps(theirs, torch.optim.AdamW(by_hand, foreach=False))
    assert torch.equal(vector, expected)


SCHEDULES = list(PluginManager().registry("schedules"))


@pytest.mark.parametrize("item", SCHEDULES, ids=lambda item: item.record.name)
def test_no_schedule_undoes_the_ratios_of_rates(item):
    rules = Rules(layer_decay=0.5, layer_decay_blocks="backbone.blocks")
    optimizer = adamw(make_groups(Net(), rules, lr=0.8))
    base_rates = tuple(group["lr"] for group in optimizer.param_groups)
    params = {"milestones": [1, 2]} if item.record.name == "multistep" else {}
    span = Span(total_steps=20, steps_per_epoch=5, warmup_steps=3)
    factor = item.record.load()(span, **params)
    for step in range(20):
        set_learning_rates(optimizer, base_rates, factor, step)
        rates = [group["lr"] for group in optimizer.param_groups]
        assert rates == pytest.approx([rates[-1] * ratio for ratio in (1 / 8, 1 / 4, 1 / 2, 1)])


class Seen:
    """The groups and what is trained, as a run has them."""

    def __init__(self):
        self.rates = []

    def on_log(self, run):
        self.rates.append(run.logs["lr"])


def test_a_run_builds_its_groups_from_the_config(tiny, tmp_path):
    optimizer = gatle.Optimizer(
        layer_decay=0.5,
        layer_decay_blocks="features",
        rates={"features.0": 0.5},
        freeze=["features.3"],
        no_decay="norms-and-biases",
        params={"weight_decay": 0.3},
    )
    seen = Seen()
    config = tiny(optimizer=optimizer, loop=gatle.Loop(max_epochs=1, log_every=1))
    run = gatle.train(config, runs=tmp_path, name="run", manager=PluginManager(), observers=[seen])
    saved = torch.load(run.checkpoint / "training.pt", weights_only=True)
    groups = [
        (group["lr"], group["weight_decay"], len(group["params"]))
        for group in saved["optimizer"]["param_groups"]
    ]
    assert groups == [
        (0.001 / 16, 0.3, 1),
        (0.001 / 16, 0.0, 2),
        (0.001 / 4, 0.3, 1),
        (0.001 / 4, 0.0, 2),
        (0.001, 0.3, 1),
        (0.001, 0.0, 1),
    ]
    assert set(seen.rates) == {0.001}
    stored = (run.folder / "config.toml").read_text()
    assert '"features.0" = 0.5' in stored
    again = gatle.train(
        run.folder / "config.toml", runs=tmp_path, name="again", manager=PluginManager()
    )
    assert again.metrics == run.metrics
