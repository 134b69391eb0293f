"""Metrics of torchmetrics, played by a class that keeps what its base class keeps."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
import torch

import gatle
from gatle.errors import ConfigError
from gatle.metrics import Accuracy, adapt


def dim_zero_sum(values):
    return values.sum(dim=0)


def dim_zero_cat(values):
    return torch.cat(values)


class Base:
    """As `torchmetrics.Metric`, as far as gatle looks at it."""

    higher_is_better = None

    def __init__(self):
        self._defaults, self._reductions = {}, {}
        self.sync_on_compute = self._to_sync = True
        self._update_count = 0
        self.device = torch.device("cpu")

    def add_state(self, name, default, dist_reduce_fx):
        self._defaults[name], self._reductions[name] = default, dist_reduce_fx
        self.reset()

    def reset(self):
        self._update_count = 0
        for name, default in self._defaults.items():
            copy = default.clone().to(self.device) if isinstance(default, torch.Tensor) else []
            setattr(self, name, copy)

    def to(self, device):
        self.device = torch.device(device)
        for name in self._defaults:
            setattr(self, name, getattr(self, name).to(device))


class Right(Base):
    higher_is_better = True

    def __init__(self, *, average="micro"):
        super().__init__()
        self.average = average
        self.add_state("right", torch.zeros(3, dtype=torch.int64), dim_zero_sum)
        self.add_state("total", torch.zeros(3, dtype=torch.int64), dim_zero_sum)

    def update(self, preds, target):
        assert preds.dtype in (torch.float32, torch.float64)
        self._update_count += 1
        hits = target[preds.argmax(dim=1) == target]
        self.right += torch.bincount(hits, minlength=3)
        self.total += torch.bincount(target, minlength=3)

    def compute(self):
        assert not self._to_sync, "it would add up over ranks what has been added up"
        assert self._update_count, "torchmetrics warns of this"
        if self.average == "none":
            return self.right / self.total
        whole = self.right.sum() / self.total.sum()
        return {"right": whole, "wrong": 1 - whole} if self.average == "both" else whole


class Curve(Base):
    def __init__(self, *, reduction=dim_zero_cat, default=None):
        super().__init__()
        self.add_state("preds", [] if default is None else default, reduction)

    def update(self, preds, target): ...

    def compute(self): ...


class Wrapper(Right):
    """Shows the states of another metric as its own."""

    def children(self):
        return [Right()]


class Stateless(Base):
    def update(self, preds, target): ...

    def compute(self): ...


def adapted(metric, **names):
    return adapt(metric, **({"name": "tm:Right", "result": "Right"} | names))


def batch(*targets):
    return SimpleNamespace(targets=torch.tensor(targets))


def outputs(*classes):
    return torch.eye(3)[list(classes)]


@pytest.fixture
def two_of_three():
    metric = adapted(Right())
    metric.update(outputs(0, 1), batch(0, 2))
    metric.update(outputs(2), batch(2))
    return metric


def test_its_number_has_the_name_of_the_metric(two_of_three):
    assert two_of_three.compute() == {"Right": pytest.approx(2 / 3)}
    assert type(two_of_three.compute()["Right"]) is float
    assert two_of_three.score_name == "Right"
    assert two_of_three.higher_is_better is True


def test_several_numbers_keep_their_names():
    metric = adapted(Right(average="both"))
    metric.update(outputs(0, 1, 1, 1), batch(0, 1, 2, 1))
    assert metric.compute() == {"right": 0.75, "wrong": 0.25}


def test_states_of_parts_add_up_and_an_empty_one_adds_nothing(two_of_three):
    other = adapted(Right())
    other.update(outputs(0, 0, 0), batch(1, 1, 0))
    states = [two_of_three.state(), other.state(), adapted(Right()).state()]
    total = {key: sum(state[key] for state in states) for key in states[0]}
    assert total["right"].tolist() == [2, 0, 1]
    both = adapted(Right())
    both.load_state(total)
    assert both.compute() == {"Right": pytest.approx(3 / 6)}


def test_a_state_does_not_change_with_later_updates(two_of_three):
    state = two_of_three.state()
    two_of_three.update(outputs(0), batch(0))
    assert state["right"].tolist() == [1, 0, 1]


def test_nothing_counted_is_no_number(two_of_three):
    two_of_three.reset()
    assert math.isnan(two_of_three.compute()["Right"])
    two_of_three.load_state(adapted(Right()).state())
    assert math.isnan(two_of_three.compute()["Right"])


def test_half_precision_is_given_as_float32():
    metric = adapted(Right())
    metric.update(outputs(0).bfloat16(), batch(0))
    assert metric.compute() == {"Right": 1.0}


def test_the_metric_follows_the_outputs_to_their_device():
    inner = Right()
    metric = adapted(inner)
    inner.update = lambda preds, target: None
    metric.update(torch.zeros(1, 3, device="meta"), batch(0))
    assert inner.device.type == inner.right.device.type == "meta"


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        (Curve(), "cat"),
        (Curve(reduction=max, default=torch.zeros(())), "max"),
        (Curve(reduction=None, default=torch.zeros(())), "None"),
    ],
)
def test_a_state_that_is_no_sum_is_named(metric, kind):
    with pytest.raises(ConfigError) as caught:
        adapted(metric, name="tm:Curve", where="In metrics.0")
    assert str(caught.value) == (
        f"metric 'tm:Curve' merges its state 'preds' by {kind!r}, expected 'sum'. In metrics.0. "
        "Fix: choose one that keeps sums (a curve does with thresholds = 100), or write one."
    )


@pytest.mark.parametrize("metric", [Wrapper(), Stateless()])
def test_a_wrapper_around_other_metrics_is_refused(metric):
    with pytest.raises(ConfigError) as caught:
        adapted(metric, name="tm:Wrapper")
    assert str(caught.value) == (
        "metric 'tm:Wrapper' keeps its states in another metric, where they are not added up. "
        "Fix: name the metric that it wraps."
    )


def test_one_number_per_class_is_refused_with_the_way_out():
    metric = adapted(Right(average="none"))
    metric.update(outputs(0), batch(0))
    with pytest.raises(ConfigError) as caught:
        metric.compute()
    assert str(caught.value) == (
        "metric 'tm:Right' computes a tensor [3], expected a number. "
        "Fix: choose its average, for example average = 'macro'."
    )


def test_other_objects_are_left_as_they_are():
    for metric in (Accuracy(), SimpleNamespace(update=None), 3):
        assert adapted(metric) is metric


class Digits(Right):
    """The share of digits that are right, of ten classes."""

    def __init__(self, *, average="micro"):
        super().__init__(average=average)
        for name in ("right", "total"):
            self.add_state(name, torch.zeros(10, dtype=torch.int64), dim_zero_sum)

    def update(self, preds, target):
        self._update_count += 1
        self.right += torch.bincount(target[preds.argmax(dim=1) == target], minlength=10)
        self.total += torch.bincount(target, minlength=10)


def test_a_run_takes_it_by_its_path_and_chooses_the_best_by_it(tiny, tmp_path, manager):
    config = tiny(metrics=[gatle.Metric(name=Digits), "accuracy"])
    run = gatle.train(config, runs=tmp_path, manager=manager)
    assert run.metrics["valid/Digits"] == pytest.approx(run.metrics["valid/accuracy"], abs=1e-7)
    assert (run.best.metric, run.best.value) == ("valid/Digits", run.metrics["valid/Digits"])


def test_a_run_names_the_state_before_it_starts(tiny, tmp_path, manager):
    with pytest.raises(ConfigError, match=r"merges its state 'preds' by 'cat', .* In metrics\.0\."):
        gatle.train(tiny(metrics=[gatle.Metric(name=Curve)]), runs=tmp_path, manager=manager)


def test_a_run_keeps_the_advice_of_a_metric_that_computes_no_number(tiny, tmp_path, manager):
    config = tiny(metrics=[gatle.Metric(name=Digits, params={"average": "none"})])
    with pytest.raises(ConfigError, match=r"computes a tensor \[10\], .* for example average"):
        gatle.train(config, runs=tmp_path, manager=manager)
