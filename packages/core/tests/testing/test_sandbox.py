"""The sandbox and its fixture."""

from __future__ import annotations

from types import ModuleType

import pytest

from gatle.errors import ConfigError
from gatle.plugin import Loss, hookimpl
from gatle.testing import Sandbox

pytest_plugins = ["gatle.testing.fixtures"]

CONFIG = {
    "data": {"name": "digits", "batch_size": 512},
    "model": {"name": "small-cnn", "params": {"width": 2}},
    "loop": {"max_epochs": 1},
    "launch": {"device": "cpu"},
}


def plugin(name="planted_plugin", **members):
    module = ModuleType(name)
    vars(module).update(members)
    return module


def broken():
    message = "kaput"
    raise RuntimeError(message)


def test_only_core_and_what_is_named_is_there():
    sandbox = Sandbox("gatle.builtins", plugin())
    assert [info.name for info in sandbox.manager.plugins] == ["core", "planted_plugin"]


def test_defects_are_values_even_under_strict(monkeypatch):
    monkeypatch.setenv("GATLE_STRICT_PLUGINS", "1")
    sandbox = Sandbox(plugin(gatle_losses=hookimpl(broken)))
    (failure,) = sandbox.failures
    assert failure.place == "gatle_losses"
    assert failure.reason == "RuntimeError: kaput"


def test_a_module_that_cannot_be_imported_raises():
    with pytest.raises(ModuleNotFoundError, match="no_such_plugin"):
        Sandbox("no_such_plugin")


def test_records_are_found_by_their_module():
    loss = Loss(name="mine", target="math:sqrt", summary="Not a loss.")
    sandbox = Sandbox(plugin(gatle_losses=hookimpl(lambda: [loss])))
    assert [item.record for item in sandbox.provided("losses", "planted_plugin")] == [loss]
    assert [item.record.name for item in sandbox.provided("losses", "gatle.builtins")] == [
        "cross-entropy"
    ]


def test_trains_with_its_own_plugins_alone(tmp_path, gatle_sandbox):
    seen = []
    gatle_sandbox.register(plugin(gatle_on_run_end=hookimpl(lambda run: seen.append(run.status))))
    run = gatle_sandbox.train(CONFIG, runs=tmp_path, name="one")
    assert (run.folder, run.status, seen) == (tmp_path / "one", "finished", ["finished"])


def test_a_wrong_config_is_an_error(tmp_path, gatle_sandbox):
    with pytest.raises(ConfigError, match="no loss is called 'hinge'"):
        gatle_sandbox.train(CONFIG | {"loss": {"name": "hinge"}}, runs=tmp_path)
