from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from gatle.events import Events, compile_events


def test_nobody_listens_so_nothing_is_called(manager):
    assert compile_events(manager) == Events()


def test_core_has_seen_an_event_before_plugins_are_told(manager, plugin_of):
    calls = []
    told = plugin_of(gatle_on_log=lambda run: calls.append(("plugin", run)))
    manager.register(told, name="told")
    observer = SimpleNamespace(on_log=lambda run: calls.append(("core", run)))
    compile_events(manager, [observer]).log("the run")
    assert calls == [("core", "the run"), ("plugin", "the run")]


def test_a_plugin_may_leave_out_the_argument(manager, plugin_of):
    calls = []
    manager.register(plugin_of(gatle_on_log=lambda: calls.append(1)), name="short")
    compile_events(manager).log("the run")
    assert calls == [1]


def test_a_plugin_that_draws_numbers_leaves_the_generators_as_they_were(manager, plugin_of):
    def draw(run):
        torch.rand(1), np.random.rand(), random.random()
        torch.manual_seed(0)

    manager.register(plugin_of(gatle_on_step_end=draw), name="draws")
    fire = compile_events(manager).step_end
    numbers = []
    for listen in (False, True):
        torch.manual_seed(5), np.random.seed(5), random.seed(5)
        if listen:
            fire(None)
        numbers.append((torch.rand(1).item(), np.random.rand(), random.random()))
    assert numbers[0] == numbers[1]


def test_the_generators_are_put_back_even_when_a_plugin_raises(manager, plugin_of):
    def raises(run):
        torch.rand(1)
        raise ValueError("boom")

    manager.register(plugin_of(gatle_on_log=raises), name="raises", distribution="gatle-raises")
    before = torch.get_rng_state()
    with pytest.raises(ValueError, match="boom") as caught:
        compile_events(manager).log(None)
    assert torch.equal(torch.get_rng_state(), before)
    assert caught.value.__notes__ == ["raised by plugin 'raises' (gatle-raises) in gatle_on_log"]


def test_a_disabled_plugin_is_told_nothing(manager, plugin_of):
    manager.register(plugin_of(gatle_on_log=lambda run: None), name="quiet")
    manager.disable("quiet", by="-p no:quiet")
    assert compile_events(manager).log is None
