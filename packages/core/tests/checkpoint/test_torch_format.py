from __future__ import annotations

import pytest
import torch

from gatle.checkpoint.torch_format import TorchFormat
from gatle.errors import CheckpointError


class Evil:
    def __reduce__(self):
        return print, ("this must not run",)


def test_what_is_written_is_read_and_nothing_else(tmp_path):
    parts = {"model": {"w": torch.arange(3)}, "training": {"step": 3, "best": None}}
    TorchFormat().write(tmp_path, parts)
    assert TorchFormat().read(tmp_path, ["training"]) == {"training": {"step": 3, "best": None}}
    assert torch.equal(TorchFormat().read(tmp_path, ["model"])["model"]["w"], torch.arange(3))


def test_a_file_that_would_run_code_is_refused(tmp_path, capsys):
    torch.save(Evil(), tmp_path / "model.pt")
    with pytest.raises(CheckpointError, match=r"model\.pt cannot be read: UnpicklingError"):
        TorchFormat().read(tmp_path, ["model"])
    assert capsys.readouterr().out == ""


def test_a_part_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CheckpointError, match=r"model\.pt cannot be read: FileNotFoundError"):
        TorchFormat().read(tmp_path, ["model"])
