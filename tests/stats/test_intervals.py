import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from benchdb.stats.intervals import mean_interval, median_interval, t_quantile
from benchdb.stats.moments import moments
from benchdb.stats.ordering import quantile, sort_rows
from tests.stats.strategies import measurements

SLEEP = [[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]]
"""Cushny and Peebles (1905), Student's own example (1908): hours of sleep gained with two drugs."""


def test_mean_interval_agrees_with_scipy():
    values = np.array(SLEEP)
    low, high = mean_interval(*moments(values))
    for row, bounds in zip(values, zip(low, high, strict=True), strict=True):
        reference = stats.ttest_1samp(row, 0).confidence_interval(0.95)
        np.testing.assert_allclose(bounds, reference, rtol=1e-9)


def test_mean_interval_of_students_sleep_data_as_r_prints_it():
    low, high = mean_interval(*moments(np.array(SLEEP[:1])))
    # t.test(extra[group == 1])$conf.int
    assert (low[0], high[0]) == pytest.approx((-0.5297804, 2.0297804), abs=5e-8)


def test_each_row_gets_the_quantile_of_its_own_n():
    values = np.random.default_rng(3).normal(100, 5, (30, 9))
    values[::3, 4:] = np.nan
    values[::7, 2:] = np.nan
    low, high = mean_interval(*moments(values))
    for row, bounds in zip(values, zip(low, high, strict=True), strict=True):
        reference = stats.ttest_1samp(row[~np.isnan(row)], 0).confidence_interval(0.95)
        np.testing.assert_allclose(bounds, reference, rtol=1e-9)


def test_no_mean_interval_below_two_values():
    low, high = mean_interval(*moments(np.array([[3.0, np.nan], [np.nan, np.nan]])))
    assert np.isnan([low, high]).all()


@pytest.mark.parametrize("n", [6, 7, 8, 9, 10, 15, 20, 25, 100])
def test_median_interval_agrees_with_scipys_quantile_test(n):
    row = np.random.default_rng(n).lognormal(3, 0.5, n)
    low, high = median_interval(np.sort(row)[np.newaxis], np.array([n]))
    reference = stats.quantile_test(row, q=np.median(row), p=0.5).confidence_interval(0.95)
    assert (low[0], high[0]) == (reference.low, reference.high)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 0.999999])
def test_median_interval_stands_on_scipys_binomial_quantile_of_every_n(confidence):
    n = np.arange(1, 2001)
    low, high = median_interval(np.broadcast_to(np.arange(1.0, 2001), (2000, 2000)), n, confidence)
    k = stats.binom.ppf((1 - confidence) / 2, n, 0.5)
    np.testing.assert_array_equal(low, np.where(k > 0, k, np.nan))
    np.testing.assert_array_equal(high, np.where(k > 0, n + 1 - k, np.nan))


# Conover (1999), table A3: the ranks of a 95 % interval of the median.
RANKS = {6: (1, 6), 8: (1, 8), 9: (2, 8), 10: (2, 9), 12: (3, 10), 15: (4, 12), 20: (6, 15), 25: (8, 18)}


@pytest.mark.parametrize(("n", "ranks"), RANKS.items())
def test_median_interval_stands_on_the_ranks_of_the_tables(n, ranks):
    low, high = median_interval(np.arange(1.0, n + 1)[np.newaxis], np.array([n]))
    assert (low[0], high[0]) == ranks


@pytest.mark.parametrize("n", range(6))
def test_no_median_interval_below_six_values(n):
    low, high = median_interval(np.arange(10.0)[np.newaxis], np.array([n]))
    assert np.isnan([low, high]).all()


@given(measurements())
def test_intervals_contain_what_they_are_of(values):
    figures = moments(values)
    low, high = mean_interval(*figures)
    exists = figures.n > 1
    assert (low[exists] <= figures.mean[exists]).all()
    assert (figures.mean[exists] <= high[exists]).all()
    ordered = sort_rows(values)
    median = quantile(ordered, figures.n, 0.5)
    low, high = median_interval(ordered, figures.n)
    exists = figures.n >= 6
    assert (low[exists] <= median[exists]).all()
    assert (median[exists] <= high[exists]).all()


def test_t_quantile_agrees_with_scipy_also_between_whole_degrees():
    degrees = np.array([0.5, 1, 2.7, 9, 17.776, 1e6])
    np.testing.assert_allclose(t_quantile(degrees, 0.975), stats.t.ppf(0.975, degrees), rtol=1e-9)
    assert np.isnan(t_quantile(np.array([0.0, -1.0, np.nan]), 0.975)).all()


def test_the_mean_interval_covers_as_often_as_it_says():
    low, high = mean_interval(*moments(np.random.default_rng(4).normal(100, 3, (4000, 10))))
    assert 0.94 < ((low <= 100) & (high >= 100)).mean() < 0.96
