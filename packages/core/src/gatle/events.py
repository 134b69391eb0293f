"""Events, compiled once per fit into plain callables, so that the loop pays for what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gatle.plugins import PluginManager
    from gatle.run import Run

Fire = Callable[["Run"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Events:
    """One callable per event, or `None` where nobody listens.

    The loop, with every event in its place:

        run_start
        for epoch:
            epoch_start
            for step:
                forward, backward, update
                step_end
                log                     # every log_every steps
            evaluate, evaluate_end      # for every evaluation split
            save, checkpoint_saved
            epoch_end
        run_end                         # always, also after a failure
    """

    run_start: Fire | None = None
    epoch_start: Fire | None = None
    step_end: Fire | None = None
    log: Fire | None = None
    evaluate_end: Fire | None = None
    checkpoint_saved: Fire | None = None
    epoch_end: Fire | None = None
    run_end: Fire | None = None


def compile_events(manager: PluginManager, observers: Iterable[Any] = ()) -> Events:
    """Compile the events of `observers`, objects with `on_<event>` methods, then of every plugin.

    Core's own observers come first, so that what happened is on record when a plugin raises.

    Plugins observe: the random generators of torch, numpy and Python are put back after a plugin's
    code, so that an observer that draws a number cannot change a loss.
    """
    listeners = list(observers)
    compiled = {f.name: _compile(f.name, manager, listeners) for f in fields(Events)}
    return Events(**compiled)


def _compile(event: str, manager: PluginManager, observers: list[Any]) -> Fire | None:
    hook = f"gatle_on_{event}"
    handlers: list[Fire] = [
        getattr(o, f"on_{event}") for o in observers if hasattr(o, f"on_{event}")
    ]
    handlers += [
        _from_plugin(function, f"{manager.describe(name)} in {hook}")
        for name, function in manager.implementations(hook)
    ]
    if len(handlers) <= 1:
        return handlers[0] if handlers else None
    chain = tuple(handlers)

    def fire(run: Run) -> None:
        for handler in chain:
            handler(run)

    return fire


def _from_plugin(function: Fire, guilty: str) -> Fire:
    def handler(run: Run) -> None:
        try:
            with _randomness_kept():
                function(run)
        except BaseException as error:
            error.add_note(f"raised by {guilty}")
            raise

    return handler


@contextmanager
def _randomness_kept() -> Iterator[None]:
    import random

    import numpy as np
    import torch

    python, legacy = random.getstate(), np.random.get_state()
    generators = [torch.default_generator, *_cuda_generators()]
    states = [generator.get_state() for generator in generators]
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(legacy)
        for generator, state in zip(generators, states, strict=True):
            generator.set_state(state)


def _cuda_generators() -> Iterable[Any]:
    import torch

    started = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]  # untyped in torch
    return torch.cuda.default_generators if started else ()
