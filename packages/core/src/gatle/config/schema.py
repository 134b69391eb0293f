"""The typed schema of a run's configuration.

Users write these sections as TOML tables or as `gatle.Data(...)`, `gatle.Model(...)` and so on in
Python; the names, types, bounds and defaults are stated here once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Name = str | Callable[..., Any]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Section(BaseModel):
    """A table of the config: unknown keys are errors, values are not guessed, nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class Component(Section):
    """Something named: a registered name, `plugin/name`, a dotted path, or the object itself."""

    name: Name
    params: dict[str, Any] = Field(default_factory=dict)


class Data(Component):
    """Which data set, and how it is cut into batches."""

    batch_size: Count = Field(default=128, description="Samples per batch, over all ranks.")
    workers: int = Field(default=0, ge=0, description="Loader processes; 0: none.")
    allow_shared_rows: bool = Field(default=False, description="Let splits share rows.")
    drop_last: bool = Field(default=False, description="Leave out a short last batch.")


class Model(Component):
    """Which model is trained."""


class Loss(Component):
    """What is minimized."""

    name: Name = "cross-entropy"


class Metric(Component):
    """What is measured on the evaluation splits."""


class Callback(Component):
    """What changes training besides the loop: averaging, stopping early, and so on."""


class Optimizer(Component):
    """How the weights move: by which optimizer, in which groups, within which bounds."""

    name: Name = "adamw"
    no_decay: Literal["none", "norms-and-biases"] = Field(
        default="none", description="What keeps its weights without decay."
    )
    layer_decay: float | None = Field(
        default=None, gt=0, le=1, description="Rate of a block, relative to the block above."
    )
    layer_decay_blocks: str | None = Field(
        default=None, description="Path of the module whose children are the blocks."
    )
    rates: dict[str, Positive] = Field(
        default_factory=dict, description="Factors on the rate, by path of a module or glob."
    )
    freeze: Sequence[str] = Field(
        default=(), description="What is not trained: paths of modules, names or globs."
    )
    clip_norm: Positive | None = Field(
        default=None, description="Bound of the norm of all gradients together."
    )
    clip_value: Positive | None = Field(
        default=None, description="Bound of each gradient's magnitude; acts before clip_norm."
    )


class Schedule(Component):
    """How the learning rate moves, counted in optimizer steps."""

    name: Name = "constant"
    warmup_epochs: float | None = Field(
        default=None, ge=0, allow_inf_nan=False, description="Warm-up, in epochs."
    )
    warmup_steps: int | None = Field(default=None, ge=0, description="Warm-up, in steps.")


class Loop(Section):
    """How long to train and how often to say so."""

    max_epochs: Count = Field(default=10, description="Passes over the training split.")
    accumulate: Count = Field(default=1, description="Batches per optimizer step.")
    log_every: Count = Field(default=20, description="Optimizer steps between two log records.")
    log_grad_norm: bool = Field(
        default=False, description="Record the norm of all gradients, as with clip_norm."
    )


class Precision(Section):
    """The number format of forward and backward."""

    dtype: Literal["auto", "fp32", "bf16", "fp16"] = Field(
        default="auto", description="auto: bf16 on a GPU that has it, fp32 elsewhere."
    )


class Checkpoint(Section):
    """When checkpoints are written and which one is the best."""

    format: Name = "torch"
    every_epochs: Count = Field(default=1, description="Epochs between two checkpoints.")
    score: str | None = Field(default=None, description="What the best is best at.")


class Launch(Section):
    """How the work is started, and on which device."""

    launcher: str = Field(default="auto", description="auto asks the plugins.")
    device: str = Field(default="auto", description="auto: cuda if there is one, else cpu.")


class Plugins(Section):
    """Plugins to load by dotted path, and plugins to leave out."""

    load: Sequence[str] = ()
    disable: Sequence[str] = ()


def as_component(value: Any) -> Any:
    """Return an item of a list that is written as its name alone in the long form."""
    return {"name": value} if isinstance(value, str) or callable(value) else value


if TYPE_CHECKING:
    MetricOrName = Metric | str
    CallbackOrName = Callback | str
else:  # a name alone is put into the long form before it is checked
    MetricOrName = Metric
    CallbackOrName = Callback


class Config(Section):
    """Everything that decides what a run does."""

    task: Name = Field(default="classification", description="What a batch is.")
    seed: int = Field(
        default=0, ge=0, lt=2**63, description="Decides initial weights, order and every draw."
    )
    data: Data
    model: Model
    loss: Loss = Loss()
    metrics: Sequence[Annotated[MetricOrName, BeforeValidator(as_component)]] = (
        Metric(name="accuracy"),
    )
    callbacks: Sequence[Annotated[CallbackOrName, BeforeValidator(as_component)]] = ()
    optimizer: Optimizer = Optimizer()
    schedule: Schedule = Schedule()
    loop: Loop = Loop()
    precision: Precision = Precision()
    checkpoint: Checkpoint = Checkpoint()
    launch: Launch = Launch()
    plugins: Plugins = Plugins()
    plugin: dict[str, Any] = Field(default_factory=dict, description="Tables of plugins.")
    project: dict[str, Any] = Field(default_factory=dict, description="Your own keys, free-form.")
