"""What gatle expects of a plugin module as a whole."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gatle.errors import GatleError
from gatle.hookspecs import PROVIDERS
from gatle.records import Record
from gatle.testing.contracts.base import Contract
from gatle.testing.sandbox import Sandbox

_PROBE = """
import importlib, sys
from gatle.hookspecs import PROVIDERS
from gatle.plugins import PluginManager

name, *heavy = sys.argv[1:]
manager = PluginManager(strict=False)
manager.register(importlib.import_module(name), name=name)
for kind in PROVIDERS:
    manager.registry(kind)
sys.stdout.write(" ".join(module for module in heavy if module in sys.modules))
"""


class PluginContract(Contract):
    """The promises of a plugin: it is light, whole, and changes nothing by being installed.

    Attributes:
        heavy: Modules that must not be imported by the plugin module or by listing its records.
    """

    heavy: ClassVar[tuple[str, ...]] = (
        "torch",
        "torchvision",
        "numpy",
        "matplotlib",
        "textual",
        "wandb",
        "click",
    )

    def config(self) -> Mapping[str, Any]:
        """Return what is trained with and without the plugin."""
        return {
            "seed": 7,
            "data": {"name": "digits", "batch_size": 128},
            "model": {"name": "small-cnn", "params": {"width": 4, "dropout": 0.2}},
            "schedule": {"name": "warmup-cosine"},
            "loop": {"max_epochs": 1, "log_every": 1},
            "launch": {"device": "cpu", "launcher": "in-process"},
        }

    def records(self) -> list[tuple[str, Record]]:
        """Return every record the plugin offers, each with its kind."""
        sandbox = self.sandbox()
        return [
            (kind, item.record)
            for kind in PROVIDERS
            for item in sandbox.provided(kind, self.module)
        ]

    def test_imports_nothing_heavy(self) -> None:
        """Importing the module and listing its records imports none of `heavy`.

        If this fails, name targets as text, `"module:attribute"`, and move imports into the
        modules they point to: `gatle --help` imports every plugin.
        """
        done = subprocess.run(
            [sys.executable, "-c", _PROBE, self.module, *self.heavy],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{self.module} cannot be imported alone:\n{done.stderr}"
        assert not done.stdout, f"{self.module} imports {', '.join(done.stdout.split())}"

    def test_has_no_defects(self) -> None:
        """The module's hooks are known, marked, and return the records they should.

        If this fails, do what the message says.
        """
        found = [str(f) for f in self.sandbox().failures if f.phase != "name"]
        assert not found, f"{self.module}: {'; '.join(found)}"

    def test_targets_can_be_called(self) -> None:
        """Every record's target is found and can be called.

        If this fails, correct `target="module:attribute"`, or install what that module imports.
        """
        wrong = [
            f"{kind} {record.name!r}: {problem}"
            for kind, record in self.records()
            if (problem := _target_problem(record))
        ]
        assert not wrong, f"{self.module}: {'; '.join(wrong)}"

    def test_takes_no_name_of_core(self) -> None:
        """No record has the bare name of one of gatle's own.

        If this fails, rename the record; users would have to write `plugin/name` to reach it.
        """
        clashes = [f.reason for f in self.sandbox().failures if f.phase == "name"]
        assert not clashes, f"{self.module}: {'; '.join(clashes)}"

    def test_changes_no_loss_by_being_there(self, tmp_path: Path) -> None:
        """Two seeded runs, with and without the plugin, log the very same losses.

        If this fails, let events observe only: what changes training is named in the config.
        """
        without = _losses(Sandbox(), self.config(), tmp_path / "without")
        present = _losses(self.sandbox(), self.config(), tmp_path / "with")
        differing = [step for step in without | present if without.get(step) != present.get(step)]
        assert not differing, (
            f"{self.module}: at {differing[0]} the run without it logged "
            f"{without.get(differing[0])}, the run with it {present.get(differing[0])}"
        )


def _losses(sandbox: Sandbox, config: Mapping[str, Any], runs: Path) -> dict[str, Any]:
    """Return every number of a run that cannot depend on time, by event and step."""
    from gatle.run import read

    try:
        run = sandbox.train(config, runs=runs)
    except GatleError as error:
        pytest.fail(f"the run ended: {error}")
    return {
        f"{event['kind']} {number}, step {event['step']}, {name}": value
        for number, event in enumerate(read(run.folder).events)
        for name, value in event.get("metrics", {}).items()
        if not name.endswith("_per_s")
    }


def _target_problem(record: Record) -> str:
    try:
        target = record.load()
    except Exception as error:  # noqa: BLE001  whatever a plugin's module raises is reported
        return f"{type(error).__name__}: {error}"
    return "" if callable(target) else f"is a {type(target).__name__}, which cannot be called"
