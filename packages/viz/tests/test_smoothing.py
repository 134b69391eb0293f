from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatle_viz.curves.limits import robust_limits
from gatle_viz.curves.smoothing import debiased_mean, thin, weight_for

finite = st.floats(-1e6, 1e6)


@given(st.lists(finite, min_size=1, max_size=30), st.floats(0, 0.99))
def test_mean_is_the_weighted_mean_of_all_values_so_far(values, weight):
    smooth = debiased_mean(np.array(values), weight=weight)
    for end in range(1, len(values) + 1):
        weights = weight ** np.arange(end)[::-1]
        expected = (weights * values[:end]).sum() / weights.sum()
        assert smooth[end - 1] == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_mean_equals_adams_bias_correction():
    values, weight = np.array([3.0, 1.0, 4.0, 1.0, 5.0]), 0.9
    moving = 0.0
    for step, value in enumerate(values, start=1):
        moving = weight * moving + (1 - weight) * value
        corrected = moving / (1 - weight**step)
        assert debiased_mean(values[:step], weight=weight)[-1] == pytest.approx(corrected)


def test_mean_starts_at_the_first_value_and_keeps_a_constant():
    smooth = debiased_mean(np.full(50, 7.0), weight=0.98)
    np.testing.assert_allclose(smooth, 7.0, rtol=1e-14)


@pytest.mark.parametrize("hole", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_leave_a_gap_and_no_trace(hole):
    with_hole = debiased_mean(np.array([1.0, 3.0, hole, 5.0]), weight=0.5)
    without = debiased_mean(np.array([1.0, 3.0, 5.0]), weight=0.5)
    assert np.isnan(with_hole[2])
    np.testing.assert_array_equal(with_hole[[0, 1, 3]], without)


def test_weight_grows_with_the_series_within_bounds():
    weights = [weight_for(count) for count in (1, 29, 30, 125, 500, 1000, 10**6)]
    assert weights == [0.0, 0.0, 0.6, 0.6, 0.9, 0.95, 0.98]


def test_thinning_keeps_spikes_gaps_and_both_ends():
    values = np.zeros(100_000)
    values[12_345], values[54_321], values[77_777] = 9.0, -9.0, np.nan
    kept = thin(values, limit=600)
    assert len(kept) <= 600
    assert {0, 12_345, 54_321, 77_777, 99_999} <= set(kept.tolist())
    assert (np.diff(kept) > 0).all()


def test_thinning_leaves_short_series_alone():
    np.testing.assert_array_equal(thin(np.zeros(5), limit=5), range(5))


def test_one_wild_value_does_not_set_the_limits():
    values = np.append(np.linspace(0.0, 1.0, 101), 1e30)
    low, high = robust_limits(values)
    assert -0.1 < low < 0.0
    assert 1.0 < high < 1.1


@pytest.mark.parametrize(
    "values",
    [[], [np.nan], [1.0], [1.0, 1.0, 1.0], [0.1, 0.2, 2.3], [1e308, -1e308, 0.0]],
)
def test_ordinary_values_are_all_shown(values):
    assert robust_limits(np.array(values)) is None
