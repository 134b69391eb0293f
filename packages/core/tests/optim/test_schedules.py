from __future__ import annotations

import pytest
import torch

from gatle.errors import ConfigError
from gatle.optim import (
    Span,
    constant,
    cosine,
    multistep,
    one_cycle,
    step,
    warmup_cosine,
    warmup_stable_decay,
)


def factors(schedule, total, *, warmup=None, per_epoch=10, **params):
    span = Span(total_steps=total, steps_per_epoch=per_epoch, warmup_steps=warmup)
    factor = schedule(span, **params)
    return [factor(step) for step in range(total)]


def test_constant_is_one_throughout():
    assert factors(constant, 4) == [1.0] * 4


def test_constant_rises_in_equal_steps_to_its_full_rate_after_the_warm_up():
    assert factors(constant, 6, warmup=4) == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0, 1.0])


@pytest.mark.parametrize("total", [2, 3, 10, 37, 1000])
@pytest.mark.parametrize("warmup", [0, 1])
def test_cosine_starts_at_one_and_ends_at_its_minimum_on_the_last_step(total, warmup):
    values = factors(cosine, total + warmup, warmup=warmup, end_factor=0.1)
    assert values[warmup] == 1.0
    assert values[-1] == pytest.approx(0.1, abs=1e-12)
    assert values[warmup:] == sorted(values[warmup:], reverse=True)


def test_cosine_is_torchs_own():
    weights = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weights], lr=1.0)
    theirs = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=9)
    expected = []
    for _ in range(10):
        expected.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        theirs.step()
    assert factors(cosine, 10) == pytest.approx(expected, abs=1e-12)


def test_warmup_cosine_warms_up_for_one_epoch_by_itself():
    values = factors(warmup_cosine, 40, per_epoch=10)
    assert values[:10] == pytest.approx([(step + 1) / 11 for step in range(10)])
    assert (values[10], values[-1]) == (1.0, pytest.approx(0.0, abs=1e-12))


def test_a_warm_up_of_no_step_is_no_warm_up():
    assert factors(warmup_cosine, 40, warmup=0) == factors(cosine, 40)


def test_a_run_of_one_epoch_still_reaches_its_full_rate():
    values = factors(warmup_cosine, 10, per_epoch=10)
    assert (max(values), values[-1]) == (1.0, pytest.approx(0.0, abs=1e-12))


def test_a_run_of_one_step_trains():
    assert factors(cosine, 1) == factors(warmup_cosine, 1, per_epoch=1) == [1.0]


def torchs(make, total: int) -> list[float]:
    """Return the rates of one of torch's own schedulers on a base rate of 1."""
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = make(optimizer)
    rates = []
    for _ in range(total - 1):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return [*rates, optimizer.param_groups[0]["lr"]]


def test_one_cycle_is_torchs_own():
    expected = torchs(
        lambda o: torch.optim.lr_scheduler.OneCycleLR(o, max_lr=1.0, total_steps=20), 20
    )
    assert factors(one_cycle, 20) == pytest.approx(expected, abs=1e-12)


def test_step_and_multistep_are_torchs_own_and_count_epochs():
    expected = torchs(lambda o: torch.optim.lr_scheduler.StepLR(o, step_size=10), 40)
    assert factors(step, 40, per_epoch=5, every_epochs=2) == pytest.approx(expected)
    expected = torchs(lambda o: torch.optim.lr_scheduler.MultiStepLR(o, [5, 15, 30]), 40)
    assert factors(multistep, 40, per_epoch=5, milestones=[1, 3, 6]) == pytest.approx(expected)


def test_a_warm_up_does_not_move_the_milestones():
    values = factors(multistep, 40, per_epoch=5, warmup=3, milestones=[2])
    assert values[3:10] == [1.0] * 7
    assert values[10:] == pytest.approx([0.1] * 30)


@pytest.mark.parametrize("total", [2, 3, 10, 37])
def test_warmup_stable_decay_is_flat_then_falls_to_its_minimum_on_the_last_step(total):
    values = factors(warmup_stable_decay, total, warmup=0, decay=0.5, end_factor=0.1)
    assert values[0] == 1.0
    assert values[-1] == pytest.approx(0.1)
    assert values == sorted(values, reverse=True)


def test_steps_of_no_epoch_are_refused():
    with pytest.raises(ConfigError, match="schedule 'step' needs every_epochs of at least 1"):
        factors(step, 4, every_epochs=0)
