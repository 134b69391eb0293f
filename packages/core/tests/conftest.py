"""What all tests of core share."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
import torch

import gatle
from gatle.plugin import hookimpl
from gatle.plugins import PluginManager


@pytest.fixture
def manager():
    """A manager that knows core alone, whatever is installed beside it."""
    return PluginManager()


@pytest.fixture
def imports(monkeypatch, tmp_path):
    """What a test imports from folders of its own is gone after it."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield
    for name, module in list(sys.modules.items()):
        spec = getattr(module, "__spec__", None)
        places = [
            getattr(spec, "origin", None),
            *(getattr(spec, "submodule_search_locations", None) or ()),
        ]
        if any(str(place).startswith(str(tmp_path)) for place in places):
            del sys.modules[name]


@pytest.fixture(scope="session")
def one_thread():
    """Sums in one order: the same bits on every machine of one kind."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def plugin_of():
    """A function that makes a plugin module of functions, each by its hook's name."""

    def make(**hooks):
        module = ModuleType("plugin_under_test")
        for name, function in hooks.items():
            setattr(module, name, hookimpl(function))
        return module

    return make


@pytest.fixture(scope="session")
def write():
    """A function that writes files by relative path, and returns their folder."""

    def files(folder, texts):
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return files


@pytest.fixture(scope="session")
def tiny():
    """A function that returns a config of a tiny network on digits for one epoch."""

    def config(**sections):
        values = {
            "data": gatle.Data(name="digits", batch_size=256),
            "model": gatle.Model(name="small-cnn", params={"width": 4}),
            "loop": gatle.Loop(max_epochs=1),
            "launch": gatle.Launch(device="cpu"),
        }
        return gatle.Config(**(values | sections))

    return config
