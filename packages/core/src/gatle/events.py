"""Events, compiled once per fit into plain callables, so that the loop pays for what is there."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from types import MappingProxyType
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


def compile_events(
    manager: PluginManager,
    observers: Iterable[Any] = (),
    *,
    callbacks: Mapping[str, Any] | None = None,
) -> Events:
    """Compile the events of observers, then of callbacks, then of every plugin.

    Core's own observers come first, so that what happened is on record when another one raises.
    Callbacks are named in the config and may change training. Plugins observe: they get a view of
    the run that cannot be written to, and the random generators of torch, numpy and Python are put
    back after a plugin's code, so that an observer that draws a number cannot change a loss.

    Args:
        manager: The plugin manager.
        observers: Objects with `on_<event>(run)` methods.
        callbacks: The same, by the names under which errors blame them.
    """
    listeners = list(observers)
    named = dict(callbacks or {})
    compiled = {f.name: _compile(f.name, manager, listeners, named) for f in fields(Events)}
    return Events(**compiled)


def _compile(
    event: str, manager: PluginManager, observers: list[Any], callbacks: dict[str, Any]
) -> Fire | None:
    hook, method = f"gatle_on_{event}", f"on_{event}"
    handlers: list[Fire] = [getattr(o, method) for o in observers if hasattr(o, method)]
    handlers += [
        _blamed(getattr(callback, method), f"callback {name!r} in {method}")
        for name, callback in callbacks.items()
        if hasattr(callback, method)
    ]
    handlers += [
        _blamed(_observing(function), f"{manager.describe(name)} in {hook}")
        for name, function in manager.implementations(hook)
    ]
    if len(handlers) <= 1:
        return handlers[0] if handlers else None
    chain = tuple(handlers)
    if event == "run_end":
        return functools.partial(_fire_all, chain)

    def fire(run: Run) -> None:
        for handler in chain:
            handler(run)

    return fire


def _fire_all(handlers: tuple[Fire, ...], run: Run) -> None:
    """Call every handler, then raise what the first of those that failed raised."""
    errors: list[BaseException] = []
    for handler in handlers:
        try:
            handler(run)
        except BaseException as error:  # noqa: BLE001  raised below, when all have been called
            errors.append(error)
    if errors:
        raise errors[0]


def _blamed(function: Fire, guilty: str) -> Fire:
    def handler(run: Run) -> None:
        try:
            function(run)
        except BaseException as error:
            error.add_note(f"raised by {guilty}")
            raise

    return handler


def _observing(function: Callable[[Any], None]) -> Fire:
    def handler(run: Run) -> None:
        with _randomness_kept():
            function(RunView(run))

    return handler


class RunView:
    """A run as plugins see it: they read it, and cannot write to it.

    So an observer cannot change a result. Only `stateful` may be written to: what a plugin puts
    there goes into checkpoints.
    """

    __slots__ = ("_run",)

    def __init__(self, run: Run) -> None:
        object.__setattr__(self, "_run", run)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._run, name)
        return MappingProxyType(value) if type(value) is dict and name != "stateful" else value

    def __setattr__(self, name: str, value: Any) -> None:
        message = f"a plugin observes a run and cannot set run.{name}; a callback may"
        raise AttributeError(message)


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
