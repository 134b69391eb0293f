"""The suite for schedules catches schedules that break a promise."""

from __future__ import annotations

import itertools
import random

import pytest

from gatle.testing import ScheduleContract


def counting(span):
    calls = itertools.count(1)
    return lambda step: 1 / next(calls)


def random_start(span):
    start = random.random()
    return lambda step: start


def divides_by_the_last_step(span):
    return lambda step: 1 - step / (span.total_steps - 1) if span.total_steps > 1 else float("nan")


DEFECTS = [
    (
        "test_factors_are_finite_and_not_negative",
        lambda span: lambda step: 1 - step / 50,
        "factors by step are {51: -0.0",
    ),
    ("test_factors_are_finite_and_not_negative", divides_by_the_last_step, "{0: nan}"),
    ("test_something_is_learnt", lambda span: lambda step: float(step > 0), "every factor is 0"),
    ("test_depends_on_the_step_alone", counting, "asked in another order"),
    ("test_is_deterministic", random_start, "two schedules differ"),
    ("test_warm_up_rises", lambda span: lambda step: 1.0, r"does not rise at the steps \[1, 2"),
]


@pytest.mark.parametrize(("test", "target", "says"), DEFECTS)
def test_defect_is_caught(caught, test, target, says):
    caught(ScheduleContract, test, target, says)


def test_every_test_can_fail(complete):
    complete(ScheduleContract, DEFECTS)
