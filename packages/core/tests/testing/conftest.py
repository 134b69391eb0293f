"""Plugins with one planted defect, and what a suite says about them."""

from __future__ import annotations

import inspect
import sys
from types import ModuleType

import pytest

from gatle.hookspecs import PROVIDERS, hookimpl

CAUGHT = (AssertionError, pytest.fail.Exception)


@pytest.fixture
def plant(monkeypatch):
    """Return a function that makes a suite for a record whose target has a defect."""

    def make(suite, target, *, facts=None, **attributes):
        module = ModuleType("planted_plugin")
        facts = {"higher_is_better": True} | (facts or {}) if suite.kind == "metrics" else {}
        record = PROVIDERS[suite.kind](
            name="planted", target=target, summary="A planted defect.", **facts
        )
        setattr(module, f"gatle_{suite.kind}", hookimpl(lambda: [record]))
        monkeypatch.setitem(sys.modules, "planted_plugin", module)
        body = {"name": "planted", "module": "planted_plugin", **attributes}
        return type("Planted", (suite,), body)()

    return make


@pytest.fixture
def caught(plant, tmp_path, request):
    """Return a function that asserts that a test of a suite fails, with words that say why."""
    available = {"tmp_path": tmp_path, "request": request}

    def check(suite, test, target, says, **adapted):
        method = getattr(plant(suite, target, **adapted), test)
        arguments = {name: available[name] for name in inspect.signature(method).parameters}
        with pytest.raises(CAUGHT, match=says):
            method(**arguments)

    return check


@pytest.fixture
def complete():
    """Return a function that asserts that a table of defects leaves out no test of a suite."""

    def check(suite, defects):
        own = {name for name in vars(suite) if name.startswith("test_")}
        assert own == {row[0] for row in defects}

    return check
