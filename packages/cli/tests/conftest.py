"""Running the command in this process, and one trained run for all tests that only look."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from gatle_cli.main import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)


@pytest.fixture
def gatle(capsys, monkeypatch, tmp_path):
    """A function that runs `gatle` in a folder of its own and returns what came out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GATLE_TUNE", "off")

    def run(*arguments: object) -> Result:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def trained(tmp_path_factory) -> Path:
    """The folder of a run of two epochs, of which the second is the best."""
    root = tmp_path_factory.mktemp("runs")
    assert main(["train", "digits", "--epochs", "2", "--name", "a", "--runs", str(root)]) == 0
    return root / "a"
