"""Installing a plugin changes no loss, not even one that draws random numbers at every step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("wheels")

MEDDLER = """
import random
import numpy
import torch
from gatle.plugin import hookimpl

@hookimpl
def gatle_on_step_end(run):
    torch.rand(3), random.random(), numpy.random.rand()
"""


def losses(environment, folder: Path) -> list[tuple]:
    """Train digits with dropout and return every loss in the record, as it was written."""
    folder.mkdir()
    options = ("-o", "model.params.dropout=0.2", "-o", "loop.log_every=1")
    done = environment.run(
        "gatle", "train", "digits", "--epochs", "2", "--name", "a", *options, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "runs/a/events/rank0-0001.jsonl").read_text().splitlines()
    return [
        (event["step"], name, value)
        for event in map(json.loads, lines)
        for name, value in event.get("metrics", {}).items()
        if name.endswith(("loss", "accuracy"))
    ]


def test_seeded_losses_are_bit_identical_with_and_without_guests(
    everything, make_environment, make_plugin, wheels, hello, tmp_path
):
    guests = make_environment(*wheels.values(), hello, make_plugin("meddler", MEDDLER))
    with_guests = losses(guests, tmp_path / "guests")
    assert with_guests == losses(everything, tmp_path / "alone")
    assert len(with_guests) == 80 + 2 + 2 * 2
    assert (tmp_path / "guests/runs/a/greeting.txt").is_file()


def test_the_tests_of_the_example_plugin_pass_on_its_wheel(
    make_environment, wheels, hello, example, tmp_path
):
    environment = make_environment(wheels["core"], wheels["cli"], hello)
    environment.run("cp", "-r", example / "tests", tmp_path / "tests", cwd=tmp_path)
    done = environment.run(
        *("python", "-m", "pytest", "tests", "-q", "-p", "no:cacheprovider"),
        "--import-mode=importlib",
        cwd=tmp_path,
        timeout_s=280,
    )
    assert done.returncode == 0, done.stdout
    greeted = environment.run("gatle", "hello", "--json", cwd=tmp_path)
    assert json.loads(greeted.stdout)["schema"] == "gatle-hello.hello/1"
