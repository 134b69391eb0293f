"""What the `gatle train` process sets, and how it is left alone."""

from __future__ import annotations

import gc

import pytest

from gatle_cli.tuning import Tuning


@pytest.fixture(autouse=True)
def _thawed():
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_is_off_until_the_run_starts():
    with Tuning() as tuning:
        assert not gc.isenabled()
        tuning.on_run_start(None)
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0


def test_an_error_before_the_run_turns_the_collector_on_again():
    with pytest.raises(RuntimeError), Tuning():
        raise RuntimeError
    assert gc.isenabled()


def test_it_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("GATLE_TUNE", "off")
    with Tuning() as tuning:
        assert gc.isenabled()
        tuning.on_run_start(None)
        assert gc.get_freeze_count() == 0
