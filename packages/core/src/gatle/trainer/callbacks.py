"""Building the callbacks a config names, and entering what they do around an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from gatle.callbacks import Callback
from gatle.config import Component
from gatle.errors import CheckpointError, ConfigError
from gatle.trainer.building import build
from gatle.trainer.score import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackScope:
    """What a callback may act on (`gatle.callbacks.Training`)."""

    model: nn.Module
    optimizer: torch.optim.Optimizer | None = None
    score: Score | None = None

    @property
    def score_name(self) -> str:
        """The metric that decides which checkpoint is the best; empty if there is none."""
        return self.score.name if self.score else ""

    @property
    def score_higher_is_better(self) -> bool:
        """The direction of the score."""
        return bool(self.score and self.score.higher_is_better)


def build_callbacks(
    components: Iterable[Component], scope: CallbackScope, *, only_evaluating: bool = False
) -> dict[str, Callback]:
    """Build and attach the callbacks of a config, by name.

    Args:
        components: The callbacks the config names.
        scope: What they act on.
        only_evaluating: Leave out those that have no part in an evaluation.

    Raises:
        ConfigError: If two have one name, or one has no `attach`.
    """
    callbacks: dict[str, Callback] = {}
    for component in components:
        name = component.short_name
        if name in callbacks:
            what = f"two callbacks are called {name!r}"
            raise ConfigError(what, where=f"In {component.path}", fix="leave one out")
        callback = build(component)
        if not hasattr(callback, "attach"):
            what = f"callback {component.name!r} has no attach(training)"
            raise ConfigError(what, where=f"In {component.path}", fix="see gatle.callbacks")
        if only_evaluating and not hasattr(callback, "evaluating"):
            continue
        callback.attach(scope)
        callbacks[name] = callback
    return callbacks


@contextmanager
def evaluating(callbacks: Mapping[str, Any]) -> Iterator[None]:
    """Enter what the callbacks do around an evaluation; leave it before anything is saved."""
    with ExitStack() as stack:
        for callback in callbacks.values():
            if hasattr(callback, "evaluating"):
                stack.enter_context(callback.evaluating())
        yield


def stateful_key(name: str) -> str:
    """Return the key under which a callback's state is in a checkpoint."""
    return f"callback.{name}"


def load_states(callbacks: Mapping[str, Any], stateful: Mapping[str, Any]) -> None:
    """Give callbacks their states of a checkpoint.

    Raises:
        CheckpointError: If the state of one is not there.
    """
    for name, callback in callbacks.items():
        if not hasattr(callback, "load_state_dict"):
            continue
        if stateful_key(name) not in stateful:
            what = f"the checkpoint holds no state of the callback {name!r}"
            raise CheckpointError(what, fix="choose a checkpoint of this config")
        callback.load_state_dict(stateful[stateful_key(name)])
