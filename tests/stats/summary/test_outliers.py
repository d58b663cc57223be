import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.ordering import sort_rows
from benchdb.stats.summary.outliers import LARGEST_N, fence_factors, tukey_outliers
from tests.stats.fence_table import farthest
from tests.stats.strategies import measurements


def flags(values):
    values = np.array(values, dtype=float)
    return tukey_outliers(values, sort_rows(values), (~np.isnan(values)).sum(axis=1))


def test_fences_agree_with_numpys_quartiles():
    values = np.random.default_rng(5).standard_cauchy((40, 11))
    first, third = np.quantile(values, [0.25, 0.75], axis=1, keepdims=True)
    for factor, flagged in zip(fence_factors(np.array([11]))[0], flags(values), strict=True):
        reach = factor * (third - first)
        np.testing.assert_array_equal(flagged, (values < first - reach) | (values > third + reach))
        assert flagged.any()


@pytest.mark.parametrize("n", [5, 6, 8, 10, 13, 30, 60, 61, 100, 400])
def test_normal_samples_rarely_have_any_value_outside(n):
    outside, far = flags(np.random.default_rng([6, n]).standard_normal((20_000, n)))
    for flagged, chance in ((outside, 0.05), (far, 0.01)):
        found = stats.binomtest(int(flagged.any(axis=1).sum()), 20_000).proportion_ci(0.999)
        assert found.low <= chance * (1 if n <= LARGEST_N else 1.15)
        assert found.high >= chance * (1 if n <= LARGEST_N else 0.85)


def test_the_table_is_what_its_script_simulates():
    factors = np.quantile(farthest(8, 200_000, seed=3), [0.95, 0.99])
    np.testing.assert_allclose(fence_factors(np.array([8]))[0], factors, rtol=0.02)


def test_factors_beyond_the_table_are_those_of_the_normal_distributions_own_quartiles():
    """Hoaglin and Iglewicz 1987: with known quartiles a value is outside with chance 1 − (1 − α)^(1/n)."""
    n = 10_000_000
    chances = 1 - np.array([0.95, 0.99]) ** (1 / n)
    known = (stats.norm.isf(chances / 2) - stats.norm.ppf(0.75)) / (2 * stats.norm.ppf(0.75))
    np.testing.assert_allclose(fence_factors(np.array([n]))[0], known, rtol=1e-5)
    inside, beyond = fence_factors(np.array([LARGEST_N, LARGEST_N + 1]))
    np.testing.assert_allclose(beyond, inside, rtol=0.01)


def test_an_outlier_is_flagged_in_its_own_round():
    outside, far = flags([[10, 11, 10, 99, 11, np.nan, 10]])
    assert outside.tolist() == far.tolist() == [[False, False, False, True, False, False, False]]


def test_the_fences_themselves_are_inside():
    # With quartiles 2 and 4, the fences are at 4 + 2·f.
    inner, outer = 4 + 2 * fence_factors(np.array([5]))[0]
    found = flags([[1, 2, 3, 4, last] for last in (inner, inner + 0.01, outer, outer + 0.01)])
    assert found.outside[:, 4].tolist() == [False, True, True, True]
    assert found.far[:, 4].tolist() == [False, False, False, True]


@pytest.mark.parametrize("row", [[0, 0, 0, 1e9], [1, 1], [5], [np.nan] * 4])
def test_fewer_than_five_values_have_no_outliers(row):
    assert not flags([row]).outside.any()


def test_equal_values_have_no_outliers():
    assert not flags([[0.1] * 10]).outside.any()


@given(measurements(), st.randoms(use_true_random=False))
def test_flags_follow_their_values_when_rounds_change_places(values, random):
    order = list(range(values.shape[1]))
    random.shuffle(order)
    np.testing.assert_array_equal(flags(values).outside[:, order], flags(values[:, order]).outside)
