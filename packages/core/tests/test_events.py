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
    told = plugin_of(gatle_on_log=lambda run: calls.append(("plugin", run.step)))
    manager.register(told, name="told")
    observer = SimpleNamespace(on_log=lambda run: calls.append(("core", run.step)))
    compile_events(manager, [observer]).log(SimpleNamespace(step=3))
    assert calls == [("core", 3), ("plugin", 3)]


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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda run: setattr(run, "step", 0), "a plugin observes a run and cannot set run.step"),
        (lambda run: run.metrics.update({"valid/accuracy": 1.0}), "no attribute 'update'"),
        (lambda run: run.logs.clear(), "no attribute 'clear'"),
    ],
)
def test_a_plugin_cannot_change_a_run(manager, plugin_of, change, says):
    manager.register(plugin_of(gatle_on_log=change), name="meddles")
    run = SimpleNamespace(step=3, metrics={"valid/accuracy": 0.5}, logs={}, stateful={})
    with pytest.raises(AttributeError, match=says):
        compile_events(manager).log(run)
    assert (run.step, run.metrics) == (3, {"valid/accuracy": 0.5})


def test_a_plugin_may_add_state_to_checkpoints(manager, plugin_of):
    def add(run):
        run.stateful["adds.count"] = object()

    manager.register(plugin_of(gatle_on_run_start=add), name="adds")
    run = SimpleNamespace(stateful={})
    compile_events(manager).run_start(run)
    assert "adds.count" in run.stateful
