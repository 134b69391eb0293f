"""A task so small that a whole run takes milliseconds."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.utils.data import TensorDataset

import gatle
from gatle.plugins import PluginManager


def rows(*, train=12, valid=6):
    """Return points in the plane, of class 1 where their sum is positive."""
    points = torch.randn(train + valid, 2, generator=torch.Generator().manual_seed(0))
    labels = (points.sum(dim=1) > 0).long()
    held_out = TensorDataset(points[train:], labels[train:]) if valid else None
    return gatle.Splits(train=TensorDataset(points[:train], labels[:train]), valid=held_out)


class Dense(nn.Module):
    """Returns logits of two classes, after some dropout."""

    def __init__(self, *, drop=0.0):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Dropout(drop), nn.Linear(8, 2))

    def forward(self, points):
        return self.layers(points)


@pytest.fixture
def fit(tmp_path, manager):
    """A function that trains the small task; sections of the config may be replaced."""

    def run(*, name="run", manager=manager, observers=(), epochs=1, model_params=None, **sections):
        values = {
            "data": gatle.Data(name=rows, batch_size=4),
            "model": gatle.Model(name=Dense, params=model_params or {}),
            "optimizer": gatle.Optimizer(name="sgd"),
            "loop": gatle.Loop(max_epochs=epochs, log_every=1),
            "launch": gatle.Launch(device="cpu"),
        }
        config = gatle.Config(**(values | sections))
        return gatle.train(config, runs=tmp_path, name=name, manager=manager, observers=observers)

    return run


@pytest.fixture(scope="module")
def trained(tmp_path_factory, tiny, one_thread):
    """A run on digits of two epochs, for tests that only look."""
    config = tiny(loop=gatle.Loop(max_epochs=2, log_every=2), seed=1)
    root = tmp_path_factory.mktemp("runs")
    return gatle.train(config, runs=root, name="trained", manager=PluginManager())
