from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch
from torch import nn

import gatle
from gatle.errors import ConfigError
from gatle.trainer.assemble import Score


def no_module():
    return 3


class Breaks(nn.Module):
    def __init__(self):
        super().__init__()
        raise ValueError("no such depth")


def no_optimizer(parameters):
    return SimpleNamespace()


def no_factor(span):
    return 0.5


def half_a_metric():
    return SimpleNamespace(update=None, reset=None)


class NoTask:
    pass


class TaskThatBreaks(gatle.Trainer):
    def __init__(self, **parts):
        raise ValueError("not today")


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2).requires_grad_(False)


WRONG = [
    (
        {"model": gatle.Model(name=no_module)},
        "model '{here}:no_module' returned a int, expected a torch.nn.modules.module.Module. "
        "Fix: return one.",
    ),
    (
        {"model": gatle.Model(name=Breaks)},
        "building model '{here}:Breaks' failed: ValueError: no such depth. At {file}:{model_line}.",
    ),
    (
        {"model": gatle.Model(name=Frozen)},
        "building optimizer 'sgd' failed: ValueError: optimizer got an empty parameter list.",
    ),
    (
        {"optimizer": gatle.Optimizer(name=no_optimizer)},
        "optimizer '{here}:no_optimizer' returned a SimpleNamespace, "
        "expected a torch.optim.optimizer.Optimizer. Fix: return one.",
    ),
    (
        {"schedule": gatle.Schedule(name=no_factor)},
        "schedule '{here}:no_factor' returned a float, expected a function from step to factor. "
        "Fix: return a function of one whole number.",
    ),
    (
        {"metrics": [half_a_metric]},
        "metric '{here}:half_a_metric' lacks state, load_state, compute. In metrics.0. "
        "Fix: see gatle.metrics.Metric.",
    ),
    (
        {"metrics": ["accuracy", "core/accuracy"]},
        "two metrics are called 'accuracy'. In metrics.1. Fix: leave one out.",
    ),
    (
        {"task": NoTask},
        "task '{here}:NoTask' is not a subclass of gatle.Trainer. "
        "Fix: derive it from gatle.Trainer.",
    ),
    (
        {"task": TaskThatBreaks},
        "building task '{here}:TaskThatBreaks' failed: ValueError: not today. "
        "At {file}:{task_line}.",
    ),
]


@pytest.mark.parametrize(("sections", "message"), WRONG)
def test_a_component_that_breaks_its_contract_is_named_before_anything_is_written(
    fit, tmp_path, sections, message
):
    with pytest.raises(ConfigError) as caught:
        fit(**sections)
    text = str(caught.value)
    if "empty parameter list" in text:
        text = text.partition(" At ")[0]  # a line of torch
    lines = {
        "model_line": Breaks.__init__.__code__.co_firstlineno + 2,
        "task_line": TaskThatBreaks.__init__.__code__.co_firstlineno + 1,
    }
    assert text == message.format(here=__name__, file=__file__, **lines)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("higher", "values", "best"),
    [
        (True, [math.nan, 0.6, math.nan, 0.9, 0.7, math.inf, 0.9], 0.9),
        (False, [math.nan, 0.6, -math.inf, 0.9, 0.5], 0.5),
        (True, [math.nan], None),
    ],
)
def test_the_best_is_finite_and_the_first_of_equals(higher, values, best):
    score, found = Score(name="valid/x", higher_is_better=higher), None
    taken = [found := value for value in values if score.improves(value, found)]
    assert found == best
    assert len(taken) == len(set(taken))


def test_weights_depend_on_the_seed_alone(fit):
    states = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        torch.rand(len(states))
        run = fit(name=name, seed=seed)
        states.append(torch.load(run.checkpoint / "model.pt", weights_only=True))
    first, same, other = (torch.cat([v.flatten() for v in state.values()]) for state in states)
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


class Rates:
    """The learning rate of every step."""

    def __init__(self):
        self.seen = []

    def on_log(self, run):
        self.seen.append(run.logs["lr"])


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        ({"name": "constant"}, [1, 1, 1, 1, 1, 1]),
        ({"name": "constant", "warmup_steps": 1}, [1 / 2, 1, 1, 1, 1, 1]),
        ({"name": "constant", "warmup_epochs": 1}, [1 / 4, 2 / 4, 3 / 4, 1, 1, 1]),
        ({"name": "warmup-cosine", "warmup_epochs": 0}, "cosine"),
        ({"name": "warmup-cosine"}, [1 / 4, 2 / 4, 3 / 4, 1, 1 / 2, 0]),
    ],
)
def test_the_schedule_moves_the_rate_step_by_step(fit, schedule, rates):
    if rates == "cosine":
        rates = [0.5 * (1 + math.cos(math.pi * step / 5)) for step in range(6)]
    seen = Rates()
    optimizer = gatle.Optimizer(name="sgd", params={"lr": 0.1})
    fit(epochs=2, schedule=schedule, optimizer=optimizer, observers=[seen])
    assert seen.seen == pytest.approx([0.1 * rate for rate in rates], abs=1e-12)
