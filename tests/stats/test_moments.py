import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.moments import moments, variation
from tests.stats.strategies import measurements


def test_agreement_with_numpy_row_by_row():
    values = np.random.default_rng(1).lognormal(18, 0.3, (50, 12))
    values[np.random.default_rng(2).random(values.shape) < 0.2] = np.nan
    n, mean, sd = moments(values)
    np.testing.assert_array_equal(n, (~np.isnan(values)).sum(axis=1))
    np.testing.assert_allclose(mean, np.nanmean(values, axis=1), rtol=1e-12)
    np.testing.assert_allclose(sd, np.nanstd(values, axis=1, ddof=1), rtol=1e-12)
    expected = [stats.variation(row[~np.isnan(row)], ddof=1) for row in values]
    np.testing.assert_allclose(variation(mean, sd), expected, rtol=1e-12)


# NIST Statistical Reference Datasets, univariate: certified figures of sets designed to break naive formulas.
NIST = {
    "NumAcc1": ([10000001, 10000003, 10000002], 10000002, 1),
    "NumAcc2": ([1.2] + [1.1, 1.3] * 500, 1.2, 0.1),
    "NumAcc3": ([1000000.2] + [1000000.1, 1000000.3] * 500, 1000000.2, 0.1),
    "NumAcc4": ([10000000.2] + [10000000.1, 10000000.3] * 500, 10000000.2, 0.1),
}


@pytest.mark.parametrize(("values", "mean", "sd"), NIST.values(), ids=NIST)
def test_certified_values(values, mean, sd):
    found = moments(np.array([values], dtype=float))
    assert found.mean[0] == pytest.approx(mean, rel=1e-12)
    # The data of NumAcc3 and 4 already have rounding errors in the seventh and eighth digit of their spread.
    assert found.sd[0] == pytest.approx(sd, rel=1e-7)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-9, 123456.789, -7.7, 0.0])
@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_equal_values_have_exactly_that_mean_and_no_spread(value, n):
    found = moments(np.full((1, n), value))
    assert (found.mean[0], found.sd[0]) == (value, 0.0)


def test_one_value_has_no_sd_and_none_has_nothing():
    n, mean, sd = moments(np.array([[np.nan, 5.0], [np.nan, np.nan]]))
    np.testing.assert_array_equal(n, [1, 0])
    np.testing.assert_array_equal(mean, [5, np.nan])
    np.testing.assert_array_equal(sd, [np.nan, np.nan])


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (3, 0)])
def test_empty_arrays(shape):
    n, mean, sd = moments(np.zeros(shape))
    assert n.tolist() == [0] * shape[0]
    assert np.isnan(mean).all()
    assert np.isnan(sd).all()


@given(measurements(), st.randoms(use_true_random=False))
def test_the_order_of_rounds_does_not_matter(values, random):
    order = list(range(values.shape[1]))
    random.shuffle(order)
    first, second = moments(values), moments(values[:, order])
    np.testing.assert_allclose(first.mean, second.mean, rtol=1e-12)
    np.testing.assert_allclose(first.sd, second.sd, rtol=1e-9, atol=1e-12 * values.max())


@given(measurements(), st.integers(-20, 20))
def test_a_change_of_unit_changes_mean_and_sd_alike(values, exponent):
    first, second = moments(values), moments(values * 2.0**exponent)
    np.testing.assert_array_equal(first.mean * 2.0**exponent, second.mean)
    np.testing.assert_array_equal(first.sd * 2.0**exponent, second.sd)


def test_variation_of_a_mean_of_zero_does_not_exist():
    assert np.isnan(variation(np.array([0.0]), np.array([1.0]))).all()
