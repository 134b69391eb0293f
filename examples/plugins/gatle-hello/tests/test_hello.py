"""What the contracts cannot know: the numbers, the words and the files."""

from __future__ import annotations

import json

import pytest
import torch
from click.testing import CliRunner

import gatle
from gatle.plugin import CommandContext
from gatle_hello.command import hello
from gatle_hello.losses import hinge
from gatle_hello.metrics import Margin

pytest_plugins = ["gatle.testing.fixtures"]

CONFIG = {
    "seed": 3,
    "data": {"name": "digits", "batch_size": 64},
    "model": {"name": "small-cnn", "params": {"width": 8}},
    "loss": {"name": "hinge"},
    "metrics": ["accuracy", "margin"],
    "optimizer": {"name": "adamw", "params": {"lr": 1e-2}},
    "loop": {"max_epochs": 1},
    "checkpoint": {"score": "valid/margin"},
    "launch": {"device": "cpu"},
}
LOGITS = torch.tensor([[3.0, 1.0, 0.0], [0.5, 0.0, 0.2]])
TARGETS = torch.tensor([0, 2])


@pytest.fixture
def sandbox(gatle_sandbox):
    gatle_sandbox.register("gatle_hello.plugin")
    return gatle_sandbox


@pytest.fixture
def context(sandbox, tmp_path):
    def make(**options):
        return CommandContext(manager=sandbox.manager, runs=tmp_path, **options)

    return make


def test_hinge_by_hand():
    assert hinge(LOGITS, TARGETS).item() == pytest.approx((0 + 1.3) / 2)
    assert hinge(LOGITS, TARGETS, margin=3.0).item() == pytest.approx((1 + 3.3) / 2)


def test_margin_by_hand():
    metric = Margin()
    metric.update(LOGITS, gatle.Batch(inputs=LOGITS, targets=TARGETS))
    assert metric.compute() == {"margin": pytest.approx((2 - 0.3) / 2)}


def test_one_class_is_refused():
    with pytest.raises(gatle.ConfigError, match=r"at least two classes .* got \(2, 1\) and \(2,\)"):
        hinge(LOGITS[:, :1], TARGETS)


def test_digits_are_learnt_and_greeted(sandbox, tmp_path):
    config = CONFIG | {"plugin": {"hello": {"greeting": "Hi"}}}
    run = sandbox.train(config, runs=tmp_path, name="first")
    assert run.metrics["valid/accuracy"] > 0.3
    assert run.best.metric == "valid/margin"
    assert (run.folder / "greeting.txt").read_text() == (
        "Hi, first: 20 steps to go.\nHi, epoch 1 at step 20.\n"
    )


def test_greets_every_so_many_epochs(sandbox, tmp_path):
    config = CONFIG | {"plugin": {"hello": {"every_epochs": 2}}}
    run = sandbox.train(config, runs=tmp_path, name="first")
    assert (run.folder / "greeting.txt").read_text() == "Hello, first: 20 steps to go.\n"


def test_a_misspelt_key_is_named(sandbox, tmp_path):
    config = CONFIG | {"plugin": {"hello": {"greting": "Hi"}}}
    with pytest.raises(gatle.ConfigError, match="did you mean 'greeting'"):
        sandbox.train(config, runs=tmp_path)


def test_command_greets(context, tmp_path):
    result = CliRunner().invoke(hello, ["--name", "reader"], obj=context())
    assert result.output == f"Hello, reader! There are 0 runs in {tmp_path}.\n"


def test_command_prints_one_json_object(context, sandbox, tmp_path):
    sandbox.train(CONFIG, runs=tmp_path)
    result = CliRunner().invoke(hello, [], obj=context(json=True))
    assert json.loads(result.output) == {
        "schema": "gatle-hello.hello/1",
        "greeting": "Hello",
        "name": "world",
        "folder": str(tmp_path),
        "runs": 1,
    }
