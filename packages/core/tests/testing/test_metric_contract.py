"""The suite for metrics catches metrics that break a promise."""

from __future__ import annotations

import math

import pytest
import torch

from gatle.testing import MetricContract


class Mean:
    """The mean of the highest score, as it should be."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count = torch.zeros((), dtype=torch.float64), 0

    def update(self, outputs, batch):
        self.total = self.total + outputs.double().amax(1).sum()
        self.count += len(outputs)

    def state(self):
        return {"total": self.total, "count": torch.tensor(self.count)}

    def load_state(self, state):
        self.total, self.count = state["total"], int(state["count"])

    def compute(self):
        return {"mean": (self.total / self.count).item() if self.count else math.nan}


class WithoutLoading(Mean):
    load_state = None


class Contradicting(Mean):
    higher_is_better = False


class Tensors(Mean):
    def compute(self):
        return {"mean": self.total / self.count}


class Nameless(Mean):
    def compute(self):
        return {}


class Raising(Mean):
    def compute(self):
        return {"mean": self.total.item() / self.count}


class Zero(Mean):
    def compute(self):
        return {"mean": self.total.item() / max(self.count, 1)}


class Remembering(Mean):
    def reset(self):
        self.total, self.count = getattr(self, "total", torch.zeros(())), 0


class MeanOfMeans(Mean):
    def update(self, outputs, batch):
        self.total = self.total + outputs.double().amax(1).mean()
        self.count += 1


class Fading(Mean):
    def update(self, outputs, batch):
        self.total = self.total * 0.5
        super().update(outputs, batch)


class MeansAsState(Mean):
    def state(self):
        return {"total": self.total / max(self.count, 1), "count": torch.tensor(1)}


class NumbersAsState(Mean):
    def state(self):
        return {"total": self.total, "count": self.count}


class NoEmptyState(Mean):
    def state(self):
        return super().state() if self.count else {}


class Offset(Mean):
    def state(self):
        return super().state() | {"total": self.total + 1}


class ThroughNumpy(Mean):
    def update(self, outputs, batch):
        super().update(torch.from_numpy(outputs.numpy()), batch)


class Overflowing(Mean):
    def update(self, outputs, batch):
        super().update(outputs / (outputs.dtype != torch.bfloat16), batch)


class InPlace(Mean):
    def update(self, outputs, batch):
        super().update(outputs.mul_(2), batch)


DEFECTS = [
    ("test_has_the_methods_of_a_metric", WithoutLoading, "lacks load_state", {}),
    ("test_direction_is_stated_once", Contradicting, "True in the record and False in the cl", {}),
    (
        "test_direction_is_stated_once",
        Mean,
        "higher_is_better is 'max', not a bool",
        {"facts": {"higher_is_better": "max"}},
    ),
    ("test_results_are_finite_numbers_by_name", Tensors, "expected finite floats", {}),
    ("test_results_are_finite_numbers_by_name", Nameless, "returned no numbers", {}),
    ("test_nothing_counted_is_not_a_number", Raising, "compute raised ZeroDivisionError", {}),
    ("test_nothing_counted_is_not_a_number", Zero, r"compute returned \{'mean': 0.0\}", {}),
    ("test_reset_forgets_everything", Remembering, "after a reset give", {}),
    ("test_batches_may_be_cut_anywhere", MeanOfMeans, "cut into batches give", {}),
    ("test_order_of_batches_does_not_matter", Fading, "in reverse give", {}),
    ("test_states_add_up", MeansAsState, "added up from states give", {}),
    ("test_states_add_up", NumbersAsState, r"state returned \{'count': 'int'\}", {}),
    ("test_state_of_nothing_adds_nothing", NoEmptyState, r"keys \[\] before the first", {}),
    ("test_state_of_nothing_adds_nothing", Offset, "with an empty state give", {}),
    ("test_bfloat16_outputs_are_accepted", ThroughNumpy, "bfloat16 outputs raise TypeError", {}),
    ("test_bfloat16_outputs_are_accepted", Overflowing, "bfloat16 outputs give", {}),
    ("test_inputs_are_left_alone", InPlace, "changed the outputs", {}),
]


@pytest.mark.parametrize(("test", "target", "says", "adapted"), DEFECTS)
def test_defect_is_caught(caught, test, target, says, adapted):
    caught(MetricContract, test, target, says, **adapted)


def test_every_test_can_fail(complete):
    complete(MetricContract, DEFECTS)


class TestMean(MetricContract):
    """The metric that the defects are made from has none."""

    name = "planted"
    module = "planted_plugin"

    @pytest.fixture(autouse=True)
    def _planted(self, plant):
        plant(MetricContract, Mean)
