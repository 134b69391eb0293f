"""What provider hooks yield: small frozen records that name a component and say where it is.

A record is cheap to list. Its `target` is loaded only when somebody uses the component, so a plugin
may offer a hundred models without importing one of them. Kinds that add no field are plain
subclasses: making a dataclass costs a millisecond, and every start-up pays it.
"""

from __future__ import annotations

import pkgutil
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

Group = Literal["Train", "Look", "Ship", "Set up", "Plugins"]
_NAME = re.compile(r"[a-z0-9]+([-_.][a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A named component of one kind.

    Attributes:
        name: What users write in a config: lower case, words joined by hyphens.
        target: `"module:attribute"`, loaded on first use, or the object itself.
        summary: One line for listings.
    """

    name: str
    target: Any
    summary: str

    def __post_init__(self) -> None:
        label = f"{type(self).__name__} record {self.name!r}"
        if type(self.name) is not str or not _NAME.fullmatch(self.name):
            message = f"{label}: a name is lower case with words joined by hyphens, as 'top-k'"
            raise ValueError(message)
        if type(self.summary) is not str or not self.summary or "\n" in self.summary:
            message = f"{label}: summary must be one line of text, got {self.summary!r}"
            raise ValueError(message)
        if isinstance(self.target, str) and ":" not in self.target:
            message = f"{label}: target must read 'module:attribute', got {self.target!r}"
            raise ValueError(message)

    def load(self) -> Any:
        """Return the target, importing its module if it is named by a string."""
        return pkgutil.resolve_name(self.target) if isinstance(self.target, str) else self.target


class Task(Record):
    """A subclass of `gatle.Trainer` that knows what a batch is."""

    __slots__ = ()


class Dataset(Record):
    """A callable `(**params) -> gatle.data.Splits`."""

    __slots__ = ()


class Model(Record):
    """A callable `(**params) -> torch.nn.Module`.

    Parameters called `num_classes`, `in_channels` or `image_size` are filled from the data set
    when the config leaves them out.
    """

    __slots__ = ()


class Loss(Record):
    """A callable `(logits, targets, **params) -> Tensor[]`, or a `torch.nn.Module` class."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Record):
    """A callable `(**params)` giving an object that keeps `gatle.metrics.Metric`.

    Attributes:
        higher_is_better: The direction that best checkpoints, early stopping and plateaus follow.
    """

    higher_is_better: bool


class Optimizer(Record):
    """A callable `(param_groups, **params) -> torch.optim.Optimizer`.

    A parameter `model`, if it has one, is given the model; its default must do without.
    """

    __slots__ = ()


class Schedule(Record):
    """A callable `(span, **params)` giving a function from optimizer step to learning-rate factor.

    `span` is a `gatle.optim.Span`: the number of optimizer steps, of warm-up steps and per epoch.
    """

    __slots__ = ()


class CheckpointFormat(Record):
    """A class whose instances `write(folder, parts)` and `read(folder, names)` state dicts."""

    __slots__ = ()


class Launcher(Record):
    """A callable `(request: LaunchRequest) -> result` that runs the work of a request."""

    __slots__ = ()


class Callback(Record):
    """A callable `(**params)` giving an object that keeps `gatle.callbacks.Callback`.

    A callback may change training, so it acts only in runs whose config names it.
    """

    __slots__ = ()


class Recipe(Record):
    """A callable `() -> gatle.Config` (or a dict) that trains as it is."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Record):
    """A `click.Command`, shown in `gatle --help` and loaded only when it is run.

    Attributes:
        group: The heading it is listed under.
    """

    group: Group = "Plugins"

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        if self.group not in get_args(Group):
            message = f"Command record {self.name!r}: group must be one of {get_args(Group)}"
            raise ValueError(message)


class Check(Record):
    """A callable `() -> Finding` that `gatle doctor` runs."""

    __slots__ = ()


class ConfigSection(Record):
    """A `pydantic.BaseModel` class for the table `[plugin.NAME]` of a config."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check of `gatle doctor` found.

    Attributes:
        status: `ok`, `warning`, `error`, or `skipped` when the check does not apply here.
        detail: What was found, in one line.
        remedy: What to do; empty when nothing is to be done.
        data: Facts for the JSON report; plain values only.
    """

    status: Literal["ok", "warning", "error", "skipped"]
    detail: str
    remedy: str = ""
    data: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchRequest:
    """Work for a launcher: what to run, and over how many processes.

    Attributes:
        function: The work of one process; a launcher calls it with no arguments.
        processes_per_node: `None` leaves the number to the launcher.
        nodes: The number of machines.
        device: The device the user named, or `auto`.
    """

    function: Any
    processes_per_node: int | None = None
    nodes: int = 1
    device: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """What a subcommand is given as `click.Context.obj`; take it with `@click.pass_obj`.

    Attributes:
        manager: The plugin manager.
        runs: The folder that keeps runs.
        json: Whether to print one JSON object instead of text.
        verbose: How often `-v` was given.
        debug: Whether errors show their traceback.
    """

    manager: Any
    runs: Path
    json: bool = False
    verbose: int = 0
    debug: bool = False
