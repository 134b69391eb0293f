"""What gatle expects of a checkpoint format."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from gatle.checkpoint import Format
from gatle.errors import CheckpointError
from gatle.testing.contracts.base import RecordContract


class CheckpointFormatContract(RecordContract):
    """The promises of a checkpoint format."""

    kind = "checkpoint_formats"

    def format(self) -> Format:
        """Return the format, as gatle builds it."""
        built: Format = self.build()
        return built

    def parts(self) -> dict[str, dict[str, Any]]:
        """Return what is written: tensors of several types, nested mappings and plain values."""
        generator = torch.Generator().manual_seed(0)
        weight = torch.randn(3, 4, generator=generator)
        moments = {"step": torch.tensor(3.0), "exp_avg": weight * 0.1}
        return {
            "model": {
                "weight": weight,
                "transposed": weight.t(),
                "half": weight.bfloat16(),
                "count": torch.tensor(2**40 + 1),
                "mask": weight > 0,
                "not.finite": torch.tensor([math.nan, math.inf, -0.0]),
                "empty": torch.empty(0, 2),
            },
            "training": {
                "optimizer": {
                    "state": {0: moments},
                    "param_groups": [{"lr": 0.1, "betas": (0.9, 0.999), "params": [0]}],
                },
                "scaler": None,
                "step": 12,
                "flag": True,
                "best": {"value": 1 / 3, "name": "valid/accuracy"},
                "worst": math.nan,
                "stateful": {},
            },
        }

    def test_reads_what_it_wrote(self, tmp_path: Path) -> None:
        """What is read equals what was written: every bit, type and nested key.

        If this fails, see which path the message names; mind integer keys, tuples, NaN, bfloat16
        and tensors that are views.
        """
        written = self.parts()
        self.format().write(tmp_path, written)
        read = self.format().read(tmp_path, list(written))
        difference = _difference(read, written, "")
        assert difference is None, f"{self.label}: read is not what was written: {difference}"

    def test_reads_only_what_is_asked_for(self, tmp_path: Path) -> None:
        """Reading one part returns that part alone, without needing the others.

        If this fails, keep parts apart on disk: evaluation reads the model and nothing else.
        """
        self.format().write(tmp_path, self.parts())
        read = self.format().read(tmp_path, ["model"])
        assert set(read) == {"model"}, f"{self.label}: asked for 'model', read {sorted(read)}"

    def test_parts_are_left_alone(self, tmp_path: Path) -> None:
        """The parts are the same after writing as before.

        If this fails, copy before converting: the run goes on with these tensors.
        """
        parts = self.parts()
        self.format().write(tmp_path, parts)
        difference = _difference(parts, self.parts(), "")
        assert difference is None, f"{self.label}: writing changed its argument: {difference}"

    def test_truncated_file_is_an_error(self, tmp_path: Path) -> None:
        """A file cut in half is a `gatle.CheckpointError`, whichever file it is.

        If this fails, wrap what your reader raises: `raise CheckpointError(...) from error`.
        """
        self.format().write(tmp_path, self.parts())
        for file in _files(tmp_path):
            content = file.read_bytes()
            file.write_bytes(content[: len(content) // 2])
            self._assert_refused(tmp_path, f"{file.name} is cut in half")
            file.write_bytes(content)

    def test_missing_file_is_an_error(self, tmp_path: Path) -> None:
        """A file that is gone is a `gatle.CheckpointError`.

        If this fails, wrap the `OSError` in a `CheckpointError` that names the file.
        """
        self.format().write(tmp_path, self.parts())
        for file in _files(tmp_path):
            content = file.read_bytes()
            file.unlink()
            self._assert_refused(tmp_path, f"{file.name} is missing")
            file.write_bytes(content)

    def test_reading_runs_no_code(self, tmp_path: Path) -> None:
        """A file made to run code when it is unpickled is refused, and its code does not run.

        If this fails, read with `torch.load(..., weights_only=True)` or a format without code.
        """
        marker = tmp_path.with_name(f"{tmp_path.name}-ran")
        self.format().write(tmp_path, self.parts())
        for file in _files(tmp_path):
            content = file.read_bytes()
            for write in (_torch_save, _pickle):
                write(_Payload(marker), file)
                self._assert_refused(tmp_path, f"{file.name} holds code")
            file.write_bytes(content)
        assert not marker.exists(), f"{self.label} ran code that was hidden in a checkpoint"

    def _assert_refused(self, folder: Path, why: str) -> None:
        try:
            self.format().read(folder, list(self.parts()))
        except CheckpointError:
            return
        except Exception as error:  # noqa: BLE001  whatever it is, it should have been wrapped
            pytest.fail(f"{self.label}: {why}, which raised {error!r}, not a CheckpointError")
        pytest.fail(f"{self.label}: {why}, yet reading it raised no CheckpointError")


class _Payload:
    """Makes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


def _torch_save(value: Any, file: Path) -> None:
    torch.save(value, file)


def _pickle(value: Any, file: Path) -> None:
    file.write_bytes(pickle.dumps(value))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _difference(got: Any, expected: Any, path: str) -> str | None:
    """Return the first place where two nested values differ, or `None`."""
    if type(got) is not type(expected):
        return f"{path}: got a {type(got).__name__}, expected a {type(expected).__name__}"
    if isinstance(expected, Mapping):
        return _mapping_difference(got, expected, path)
    if isinstance(expected, list | tuple):
        return _mapping_difference(dict(enumerate(got)), dict(enumerate(expected)), path)
    if isinstance(expected, Tensor):
        same = _same_tensor(got, expected)
    else:
        same = got == expected or (got != got and expected != expected)
    return None if same else f"{path}: got {got!r}, expected {expected!r}"


def _mapping_difference(
    got: Mapping[Any, Any], expected: Mapping[Any, Any], path: str
) -> str | None:
    if set(map(repr, got)) != set(map(repr, expected)):
        return f"{path}: got the keys {list(got)}, expected {list(expected)}"
    found = (_difference(got[key], expected[key], f"{path}/{key}") for key in expected)
    return next((difference for difference in found if difference is not None), None)


def _same_tensor(got: Tensor, expected: Tensor) -> bool:
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    return (
        got.contiguous()
        .view(-1)
        .view(torch.uint8)
        .equal(expected.contiguous().view(-1).view(torch.uint8))
    )
