"""The run: the one argument of every event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from gatle.errors import GatleError

if TYPE_CHECKING:
    import torch
    from pydantic import BaseModel

    from gatle.config import Config

Status = Literal["starting", "running", "stopped", "diverged", "failed", "finished"]


@runtime_checkable
class Stateful(Protocol):
    """Something whose state belongs into a checkpoint."""

    def state_dict(self) -> dict[str, Any]:
        """Return what `load_state_dict` takes back."""
        ...

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take the state back."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best evaluation so far."""

    metric: str
    value: float
    step: int
    epoch: int


@dataclass(slots=True, kw_only=True)
class Run:
    """What a run is and where it stands. Data only; observers read it and change nothing.

    Attributes:
        name: The name of its folder.
        folder: Where everything of the run is written.
        config: The resolved config.
        plugin_sections: The typed tables `[plugin.NAME]`.
        device: Where the model is, as `cpu` or `cuda:0`.
        status: What is written to `run.json`.
        phase: What is being done now: `train`, the split being evaluated, or `save`.
        step: Optimizer steps completed.
        epoch: Epochs completed, counted from 0 while the first one runs.
        total_steps: Optimizer steps the whole run will take.
        steps_per_epoch: Optimizer steps of one epoch.
        samples: Training samples seen.
        loss: The last step's mean loss, a 0-d tensor on the device; reading it may wait for it.
        logs: The numbers of the last log record, on the host.
        metrics: The newest numbers of every evaluated split, as `valid/accuracy`.
        best: The best evaluation so far.
        checkpoint: The newest checkpoint's folder.
        stateful: What else goes into checkpoints, by `"plugin.key"`.
        stop_reason: Set by a callback to end the run after this epoch, as a sentence.
        error: Why the run ended, if it did not finish.
    """

    name: str
    folder: Path
    config: Config
    plugin_sections: Mapping[str, BaseModel] = field(default_factory=dict)
    device: str = "cpu"
    status: Status = "starting"
    phase: str = "start"
    step: int = 0
    epoch: int = 0
    total_steps: int = 0
    steps_per_epoch: int = 0
    samples: int = 0
    loss: torch.Tensor | None = None
    logs: dict[str, float] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    best: Best | None = None
    checkpoint: Path | None = None
    stateful: dict[str, Stateful] = field(default_factory=dict)
    stop_reason: str = ""
    error: BaseException | None = None


def error_text(error: BaseException | None) -> str | None:
    """Return why a run ended as records hold it: gatle's own errors say it all themselves."""
    if error is None:
        return None
    kind, text = type(error).__name__, str(error)
    if isinstance(error, GatleError):
        return text
    return f"{kind}: {text}" if text else kind
