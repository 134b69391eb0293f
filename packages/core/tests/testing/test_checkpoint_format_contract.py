"""The suite for checkpoint formats catches formats that break a promise."""

from __future__ import annotations

import json
import pickle

import pytest
import torch

from gatle.checkpoint.torch_format import TorchFormat
from gatle.errors import CheckpointError
from gatle.testing import CheckpointFormatContract


class HalfPrecise(TorchFormat):
    def write(self, folder, parts):
        model = {key: value.float() for key, value in parts["model"].items()}
        super().write(folder, {**parts, "model": model})


class TextKeys(TorchFormat):
    def read(self, folder, names):
        read = super().read(folder, names)
        state = read["training"]["optimizer"]["state"]
        read["training"]["optimizer"]["state"] = {str(key): value for key, value in state.items()}
        return read


class Rounding(TorchFormat):
    def read(self, folder, names):
        read = super().read(folder, names)
        read["training"]["best"]["value"] = round(read["training"]["best"]["value"], 6)
        return read


class Everything(TorchFormat):
    def read(self, folder, names):
        return super().read(folder, ["model", "training"])


class Popping(TorchFormat):
    def write(self, folder, parts):
        super().write(folder, parts)
        parts["training"].pop("scaler")


class Unwrapped(TorchFormat):
    def _read(self, path):
        return torch.load(path, weights_only=True)


class Forgiving(TorchFormat):
    def _read(self, path):
        try:
            return super()._read(path)
        except CheckpointError:
            return {}


class WithSidecar(TorchFormat):
    def write(self, folder, parts):
        super().write(folder, parts)
        (folder / "names.json").write_text(json.dumps(list(parts)))

    def read(self, folder, names):
        json.loads((folder / "names.json").read_text())
        return super().read(folder, names)


class Trusting(TorchFormat):
    def _read(self, path):
        try:
            return torch.load(path, weights_only=False)
        except Exception as error:
            raise CheckpointError(str(error)) from error


class Pickling(TorchFormat):
    def _read(self, path):
        try:
            return pickle.loads(path.read_bytes())
        except Exception as error:
            raise CheckpointError(str(error)) from error


DEFECTS = [
    ("test_reads_what_it_wrote", HalfPrecise, "/model/half: .*dtype=torch.bfloat16"),
    ("test_reads_what_it_wrote", TextKeys, r"/optimizer/state: got the keys \['0'\], expected"),
    ("test_reads_what_it_wrote", Rounding, "/training/best/value: got 0.333333, expected 0.33333"),
    ("test_reads_only_what_is_asked_for", Everything, "asked for 'model', read"),
    ("test_parts_are_left_alone", Popping, "writing changed its argument: /training"),
    ("test_truncated_file_is_an_error", Unwrapped, "model.pt is cut in half, which raised"),
    ("test_truncated_file_is_an_error", Forgiving, "raised no CheckpointError"),
    ("test_truncated_file_is_an_error", WithSidecar, "names.json is cut in half, which raised"),
    ("test_missing_file_is_an_error", Unwrapped, "model.pt is missing, which raised FileNotFound"),
    ("test_reading_runs_no_code", Trusting, "model.pt holds code"),
    ("test_reading_runs_no_code", Pickling, "ran code that was hidden in a checkpoint"),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(CheckpointFormatContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(CheckpointFormatContract, DEFECTS)
