"""Start-up imports nothing heavy, whatever is installed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("torch", "torchvision", "torchao", "textual", "wandb", "numpy", "matplotlib", "pydantic")
MODULE_BUDGET = 330

MEASURE = """
import io, json, sys, time
{work}
sys.stdout = sys.__stdout__
json.dump({{"modules": len(sys.modules), "heavy": [m for m in {heavy} if m in sys.modules],
           "cpu_ms": time.process_time() * 1000}}, sys.stdout)
"""

COMMAND = """
sys.stdout = io.StringIO()
from gatle_cli.main import main
assert main({arguments}) == 0
"""


def measure(work: str) -> dict:
    code = MEASURE.format(work=work, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["plugins"], ["plugins", "--kind", "losses"]]
)
def test_commands_that_only_talk_import_nothing_heavy(arguments):
    found = measure(COMMAND.format(arguments=arguments))
    assert found["heavy"] == []
    assert found["modules"] <= MODULE_BUDGET


def test_help_of_a_command_imports_no_torch():
    work = COMMAND.format(arguments=["train", "--help"])
    assert not {"torch", "numpy", "textual"} & set(measure(work)["heavy"])


@pytest.mark.parametrize(
    "module",
    [
        "gatle",
        "gatle.plugin",
        "gatle_cli.plugin",
        "gatle_quant.plugin",
        "gatle_dist.plugin",
        "gatle_viz.plugin",
    ],
)
def test_modules_that_start_up_passes_through_are_light(module):
    assert measure(f"import {module}")["heavy"] == []


def test_help_costs_a_fraction_of_importing_torch():
    """A ratio of CPU times of one run; benchmarks/startup.py has measured about 0.09."""
    help_ms = measure(COMMAND.format(arguments=["--help"]))["cpu_ms"]
    torch_ms = measure("import torch")["cpu_ms"]
    assert help_ms < 0.2 * torch_ms


def test_training_imports_no_optional_package(tmp_path):
    work = COMMAND.format(
        arguments=["train", "digits", "--epochs", "1", "--runs", str(tmp_path), "-p", "no:viz"]
    )
    found = measure(work + "\nsys.stderr.flush()")
    assert not {"wandb", "textual", "torchvision", "torchao", "matplotlib"} & set(found["heavy"])
