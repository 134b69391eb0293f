"""What gatle expects of a callback."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor

from gatle.errors import GatleError
from gatle.run import read
from gatle.testing.contracts.base import RecordContract

CONFIG: dict[str, Any] = {
    "data": {"name": "digits", "batch_size": 128},
    "model": {"name": "small-cnn", "params": {"width": 4}},
    "loop": {"max_epochs": 2, "log_every": 5},
}


class CallbackContract(RecordContract):
    """The promises of a callback, kept in real short runs on the digits.

    Attributes:
        config: The run it is tried in, without `callbacks`.
    """

    kind = "callbacks"
    config: ClassVar[Mapping[str, Any]] = CONFIG

    def train(self, folder: Path) -> Any:
        """Train with the callback and return the run."""
        sandbox = self.sandbox()
        provided = sandbox.provided(self.kind, self.module)
        (name,) = [item.qualified for item in provided if item.record.name == self.name]
        callback = {"name": name, "params": dict(self.params)}
        try:
            return sandbox.train({**self.config, "callbacks": [callback]}, runs=folder)
        except GatleError as error:
            pytest.fail(f"{self.label}: the run with it ended: {error}")

    def test_trains(self, tmp_path: Path) -> None:
        """A run that names it finishes and leaves a checkpoint.

        If this fails, look at the error: it names the method that raised.
        """
        run = self.train(tmp_path)
        assert run.checkpoint is not None, f"{self.label}: the run left no checkpoint"

    def test_is_deterministic(self, tmp_path: Path) -> None:
        """Two runs with one seed log the same losses.

        If this fails, draw random numbers from a generator of your own, seeded by `run.config`.
        """
        first, second = (_losses(self.train(tmp_path / part).folder) for part in "ab")
        assert first == second, f"{self.label}: the losses of two seeded runs differ"

    def test_evaluation_gives_the_weights_back(self, tmp_path: Path) -> None:
        """What `evaluating()` does to the model is undone, also after an exception.

        If this fails, restore the weights in a `finally`.
        """
        callback = self.build()
        if not hasattr(callback, "evaluating"):
            return
        model = torch.nn.Linear(3, 2)
        callback.attach(_Scope(model))
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(1.0)
        before = _copy(model)
        try:
            with callback.evaluating():
                raise _Planted
        except _Planted:
            pass
        same = all(torch.equal(before[name], value) for name, value in model.state_dict().items())
        assert same, f"{self.label}: after evaluating() the model has other weights"

    def test_state_survives_a_checkpoint(self, tmp_path: Path) -> None:
        """A state that is saved can be read back without running code, and is taken back.

        If this fails, keep tensors, numbers, text, lists and dicts in `state_dict`.
        """
        run = self.train(tmp_path)
        key = f"callback.{self.name}"
        if key not in run.stateful:
            return
        saved = torch.load(run.checkpoint / "training.pt", weights_only=True)["stateful"][key]
        other = self.build()
        other.attach(_Scope(_model_of(run)))
        other.load_state_dict(saved)
        assert _equal(other.state_dict(), saved), f"{self.label}: the state differs after a load"


class _Planted(Exception):
    """Raised inside an evaluation."""


class _Scope:
    """What a callback is attached to, outside a run."""

    optimizer = None
    score_name = "valid/accuracy"
    score_higher_is_better = True

    def __init__(self, model: torch.nn.Module) -> None:
        self.model = model


def _model_of(run: Any) -> torch.nn.Module:
    from gatle.models import SmallCNN

    model = SmallCNN(num_classes=10, **run.config.model.params)
    model.load_state_dict(torch.load(run.checkpoint / "model.pt", weights_only=True))
    return model


def _losses(folder: Path) -> list[Any]:
    events = read(folder).events
    return [event["metrics"]["train/loss"] for event in events if event["kind"] == "log"]


def _copy(model: torch.nn.Module) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, Tensor):
        return torch.equal(left, right)
    if isinstance(left, Mapping):
        return left.keys() == right.keys() and all(_equal(left[k], right[k]) for k in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(_equal, left, right))
    return bool(left == right or (left != left and right != right))
