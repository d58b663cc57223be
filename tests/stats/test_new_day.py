"""The prediction interval of one more day."""

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.new_day import new_day


def test_the_interval_is_that_of_students_t_for_one_more_observation() -> None:
    before = np.array([100.0, 103.0, 98.0, 101.0, 99.5])
    found = new_day(before, 90.0)
    assert found is not None
    logs = np.log(before)
    half = stats.t.ppf(0.975, 4) * logs.std(ddof=1) * np.sqrt(1 + 1 / 5)
    assert found.ratio == pytest.approx(90 / stats.gmean(before), rel=1e-9)
    assert (found.low, found.high) == pytest.approx((np.exp(-half), np.exp(half)), rel=1e-9)
    assert found.is_outside


def test_it_contains_a_new_day_as_often_as_it_says() -> None:
    days = np.exp(np.random.default_rng(1).normal(0, 0.03, (4000, 9)))
    found = [new_day(row[:8], float(row[8])) for row in days]
    outside = sum(each is not None and each.is_outside for each in found)
    assert stats.binomtest(outside, 4000, 0.05).pvalue > 0.001


@pytest.mark.parametrize("before", [[], [1.0, 1.0], [1.0, 0.0, 1.0], [1.0, -1.0, 2.0]], ids=["none", "two", "0", "−1"])
def test_without_enough_positive_days_there_is_no_answer(before: list[float]) -> None:
    assert new_day(before, 1.0) is None


def test_a_new_figure_of_0_has_no_answer() -> None:
    assert new_day([1.0, 1.1, 0.9], 0.0) is None


def test_equal_days_leave_no_room() -> None:
    found = new_day([2.0, 2.0, 2.0], 2.1)
    assert found is not None
    assert found.is_outside
