from __future__ import annotations

import pytest

from gatle.errors import ConfigError
from gatle.launch import LaunchRequest, launch
from gatle.plugin import Launcher


def work():
    return "done"


def test_work_is_done_in_this_process_when_nobody_else_wants_it(manager):
    assert launch(LaunchRequest(function=work), launcher="auto", manager=manager) == "done"


def test_a_plugin_that_answers_is_taken(manager, plugin_of):
    module = plugin_of(
        gatle_choose_launcher=lambda request: "far" if request.device == "far" else None,
        gatle_launchers=lambda: [
            Launcher(name="far", target=lambda request: f"far {request.function()}", summary="Far.")
        ],
    )
    manager.register(module, name="far")
    for device, answer in (("far", "far done"), ("auto", "done")):
        request = LaunchRequest(function=work, device=device)
        assert launch(request, launcher="auto", manager=manager) == answer


def test_a_launcher_nobody_has_is_named(manager):
    with pytest.raises(ConfigError, match="no launcher is called 'in_process'; did you mean 'in-p"):
        launch(LaunchRequest(function=work), launcher="in_process", manager=manager)


def test_more_than_one_process_is_refused_here(manager):
    request = LaunchRequest(function=work, processes_per_node=2)
    with pytest.raises(ConfigError) as caught:
        launch(request, launcher="in-process", manager=manager)
    assert str(caught.value) == (
        "the launcher 'in-process' runs one process on one node. "
        "Fix: leave launch.launcher at 'auto', or name another launcher."
    )
