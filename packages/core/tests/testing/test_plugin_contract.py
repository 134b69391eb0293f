"""The suite for whole plugins catches plugins that break a promise."""

from __future__ import annotations

import sys

import pytest

from gatle.testing import PluginContract

HEAD = "from gatle.plugin import Loss, hookimpl\n"
LOSS = """
@hookimpl
def gatle_losses():
    yield Loss(name="{name}", target="{target}", summary="A planted loss.")
"""
GOOD = HEAD + LOSS.format(name="mine", target="gatle.losses:cross_entropy")
FINDS_THE_MODEL = """
@hookimpl
def gatle_on_epoch_start(run):
    import gc
    from gatle.models import SmallCNN
    for found in gc.get_objects():
        if type(found) is SmallCNN:
            found.head.weight.data.mul_(0.5)
"""
WRITES_TO_THE_RUN = """
@hookimpl
def gatle_on_epoch_start(run):
    run.step += 3
"""
LAZY_BUT_NOT_ENOUGH = """
@hookimpl
def gatle_losses():
    import click
    return ()
"""

DEFECTS = [
    ("test_imports_nothing_heavy", "import numpy\n" + GOOD, "imports numpy"),
    ("test_imports_nothing_heavy", HEAD + LAZY_BUT_NOT_ENOUGH, "imports click"),
    (
        "test_has_no_defects",
        GOOD.replace("gatle_losses", "gatle_lozzes"),
        "unknown hook 'gatle_lozzes'; did you mean 'gatle_losses'",
    ),
    ("test_has_no_defects", GOOD.replace("@hookimpl", ""), "is not marked with @hookimpl"),
    ("test_has_no_defects", "gatle_api = 99\n" + GOOD, "written for plugin API 99"),
    (
        "test_has_no_defects",
        GOOD.replace("yield", "yield 3; yield"),
        "expected Loss records, got 3",
    ),
    (
        "test_targets_can_be_called",
        HEAD + LOSS.format(name="mine", target="gatle.losses:cross"),
        "losses 'mine': AttributeError",
    ),
    (
        "test_targets_can_be_called",
        HEAD + LOSS.format(name="mine", target="gatle.losses:__all__"),
        "losses 'mine': is a list, which cannot be called",
    ),
    (
        "test_takes_no_name_of_core",
        HEAD + LOSS.format(name="cross-entropy", target="gatle.losses:cross_entropy"),
        "the name 'cross-entropy' is already offered by 'core'",
    ),
    ("test_changes_no_loss_by_being_there", GOOD + FINDS_THE_MODEL, "the run without it logged"),
    ("test_changes_no_loss_by_being_there", GOOD + WRITES_TO_THE_RUN, "cannot set run.step"),
]


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that writes a plugin module and returns its suite."""

    def write(text):
        (tmp_path / "planted_on_disk.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "planted_on_disk", raising=False)
        return type("Planted", (PluginContract,), {"module": "planted_on_disk"})()

    yield write
    sys.modules.pop("planted_on_disk", None)


@pytest.mark.parametrize(("test", "text", "says"), DEFECTS)
def test_defect_is_caught(written, tmp_path, test, text, says):
    method = getattr(written(text), test)
    arguments = [tmp_path / "runs"] if test == "test_changes_no_loss_by_being_there" else []
    with pytest.raises((AssertionError, pytest.fail.Exception), match=says):
        method(*arguments)


def test_every_test_can_fail(complete):
    complete(PluginContract, DEFECTS)


def test_a_module_that_cannot_be_imported_alone_shows_its_error(written):
    suite = written("raise RuntimeError('kaput')")
    with pytest.raises(AssertionError, match=r"cannot be imported alone:[\s\S]*kaput"):
        suite.test_imports_nothing_heavy()


class TestGood(PluginContract):
    """The plugin that the defects are made from has none."""

    module = "planted_on_disk"

    @pytest.fixture(autouse=True)
    def _written(self, written):
        written(GOOD)
