from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.comparing.ratio import ratio_of
from benchdb.stats.moments import Moments, moments
from tests.stats.strategies import measurements
from tests.stats.test_intervals import SLEEP


class Welch(NamedTuple):
    t: np.ndarray
    degrees: np.ndarray
    p: np.ndarray


def welch(first, second):
    """t, degrees of freedom and p of Welch's test on these moments."""
    difference = ratio_of(first, second)
    return Welch(difference.log / difference.error, difference.degrees, difference.p())


def test_students_sleep_data_as_r_prints_them():
    t, degrees, p = welch(moments(np.array(SLEEP[:1])), moments(np.array(SLEEP[1:])))
    # R: t.test(extra ~ group, data = sleep)
    assert t[0] == pytest.approx(-1.8608, abs=5e-5)
    assert degrees[0] == pytest.approx(17.776, abs=5e-4)
    assert p[0] == pytest.approx(0.07939, abs=5e-6)


def test_agreement_with_scipy_from_values():
    rng = np.random.default_rng(8)
    first, second = rng.normal(100, 3, (30, 10)), rng.normal(101, 9, (30, 6))
    second[::2, 4:] = np.nan
    t, degrees, p = welch(moments(first), moments(second))
    reference = stats.ttest_ind(first, second, axis=1, equal_var=False, nan_policy="omit")
    np.testing.assert_allclose(t, reference.statistic, rtol=1e-9)
    np.testing.assert_allclose(degrees, reference.df, rtol=1e-9)
    np.testing.assert_allclose(p, reference.pvalue, rtol=1e-9)


MOMENTS = st.tuples(st.integers(2, 50), st.floats(1e-3, 1e9), st.floats(1e-3, 1e6))


@given(MOMENTS, MOMENTS)
def test_agreement_with_scipy_from_moments(first, second):
    sides = [Moments(np.array([n]), np.array([mean]), np.array([sd])) for n, mean, sd in (first, second)]
    reference = stats.ttest_ind_from_stats(*first[1:], first[0], *second[1:], second[0], equal_var=False)
    found = welch(*sides)
    assert found.t[0] == pytest.approx(reference.statistic, rel=1e-9, abs=1e-12)
    assert found.p[0] == pytest.approx(reference.pvalue, rel=1e-9, abs=1e-300)


@given(measurements())
def test_the_other_way_round_only_t_changes_its_sign(values):
    one, other = moments(values), moments(values[::-1])
    forward, backward = welch(one, other), welch(other, one)
    np.testing.assert_array_equal(forward.t, -backward.t)
    np.testing.assert_allclose(forward.p, backward.p, rtol=1e-12)


def test_one_side_without_spread_leaves_the_degrees_of_the_other():
    found = welch(moments(np.array([[5.0, 5, 5, 5]])), moments(np.array([[6.0, 7, 8]])))
    assert found.degrees[0] == pytest.approx(2)
    assert found.p[0] == pytest.approx(stats.ttest_1samp([6, 7, 8], 5).pvalue, rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second"), [([5.0], [6.0, 7.0]), ([5.0, 5.0], [6.0, 6.0]), ([np.nan, np.nan], [6.0, 7.0])]
)
def test_no_test_without_two_values_and_some_spread(first, second):
    found = welch(moments(np.array([first])), moments(np.array([second])))
    assert np.isnan(found.t).all()
    assert np.isnan(found.p).all()
