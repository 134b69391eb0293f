"""The numbers of the recipe `digits`, as they were when somebody last looked at them."""

from __future__ import annotations

import pytest

import gatle
from gatle.builtins.recipes import digits
from gatle.plugins import PluginManager
from gatle.run import read

GOLDEN = {
    "log 20 train/loss": 2.0849786520004274,
    "log 20 lr": 0.0024390243902439024,
    "log 40 train/loss": 1.2545581591167883,
    "log 40 lr": 0.004878048780487805,
    "evaluation 40 valid/loss": 0.8834555789276406,
    "evaluation 40 valid/accuracy": 0.8481481481481481,
    "epoch 40 train/loss": 1.677029634033743,
    "log 60 train/loss": 0.4461065098643303,
    "log 60 lr": 0.002600664850273538,
    "log 80 train/loss": 0.2351171506454258,
    "log 80 lr": 0.0,
    "evaluation 80 valid/loss": 0.211965490160165,
    "evaluation 80 valid/accuracy": 0.9703703703703703,
    "epoch 80 train/loss": 0.34245672926235654,
}


@pytest.fixture(scope="module")
def numbers(tmp_path_factory, one_thread):
    """A function that trains two epochs and returns its numbers by what and step."""

    def train():
        config = digits()
        config.loop.max_epochs = 2
        config.launch.device = "cpu"
        run = gatle.train(config, runs=tmp_path_factory.mktemp("runs"), manager=PluginManager())
        found = {}
        for event in read(run.folder).events:
            for name, value in event.get("metrics", {}).items():
                if name != "samples_per_s":
                    found[f"{event['kind']} {event['step']} {name}"] = value
        return found

    return train


def test_two_runs_are_the_same_to_the_bit_and_as_they_were(numbers):
    first = numbers()
    assert numbers() == first
    assert first == pytest.approx(GOLDEN, rel=1e-5)
