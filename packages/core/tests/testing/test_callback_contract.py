from __future__ import annotations

from contextlib import contextmanager

import pytest
import torch

from gatle.testing import CallbackContract


class Plain:
    def attach(self, training):
        self.model = training.model


class Raises(Plain):
    def on_step_end(self, run):
        raise RuntimeError("kaput")


class Draws(Plain):
    def on_step_end(self, run):
        noise = torch.Generator()
        noise.seed()
        for weights in self.model.parameters():
            weights.data.add_(torch.randn(weights.shape, generator=noise) * 0.1)


class Keeps(Plain):
    @contextmanager
    def evaluating(self):
        for weights in self.model.parameters():
            weights.data.zero_()
        yield


class Forgets(Plain):
    count = 0

    def on_step_end(self, run):
        self.count += 1

    def state_dict(self):
        return {"count": self.count}

    def load_state_dict(self, state):
        pass


DEFECTS = [
    ("test_trains", Raises, r"RuntimeError: kaput. Raised by callback 'planted' in on_step_end"),
    ("test_is_deterministic", Draws, "the losses of two seeded runs differ"),
    ("test_evaluation_gives_the_weights_back", Keeps, "has other weights"),
    ("test_state_survives_a_checkpoint", Forgets, "the state differs after a load"),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(CallbackContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(CallbackContract, DEFECTS)


def test_a_callback_without_defects_passes(plant, tmp_path):
    suite = plant(CallbackContract, Plain)
    for name in (row[0] for row in DEFECTS):
        folder = tmp_path / name
        getattr(suite, name)(folder)
