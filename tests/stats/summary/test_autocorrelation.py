from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from benchdb.stats.moments import moments
from benchdb.stats.summary.autocorrelation import autocorrelation
from tests.stats.strategies import measurements

SERIES = [5.12, 4.98, 5.31, 5.07, 5.44, 5.29, 5.51, 5.38, 5.62, 5.47]


def autocorrelation_of(values):
    values = np.array(values, dtype=float)
    n, mean, _ = moments(values)
    return autocorrelation(values, n, mean)


def test_coefficient_agrees_with_statsmodels():
    # Recorded: statsmodels 0.15.0, acf(SERIES, nlags=1, fft=False)[1].
    assert autocorrelation_of([SERIES]).coefficient[0] == pytest.approx(0.282711504057663, rel=1e-9)


def test_p_stands_on_the_mean_and_variance_over_all_orders():
    """All 8! orders of eight values: their mean and variance agree with the closed form."""
    skewed = np.array([1.0, 2.0, 2.5, 3.0, 3.2, 4.0, 4.1, 20.0])
    coefficient, p = autocorrelation_of(np.array(list(permutations(skewed))))
    assert coefficient.mean() == pytest.approx(-1 / 8, abs=1e-9)
    z = (coefficient + 1 / 8) / coefficient.std()
    np.testing.assert_allclose(p, 2 * stats.norm.sf(np.abs(z)), rtol=1e-9)


def test_a_missing_round_joins_its_neighbours():
    gap = [*SERIES[:4], np.nan, *SERIES[4:]]
    np.testing.assert_allclose(autocorrelation_of([gap]), autocorrelation_of([SERIES]), rtol=1e-12)


def test_slow_waves_correlate_and_alternation_anticorrelates():
    wave = np.sin(np.linspace(0, 2 * np.pi, 20))
    coefficient, p = autocorrelation_of([wave, np.tile([1.0, 2.0], 10)])
    assert coefficient[0] > 0.8
    assert coefficient[1] < -0.9
    assert (p < 0.001).all()


@pytest.mark.parametrize("row", [[1.0, 2, 3, 4, 5, 6, 7], [3.0] * 10, [np.nan] * 10, []])
def test_nothing_is_said_of_fewer_than_eight_values_or_equal_ones(row):
    assert np.isnan(autocorrelation_of([row])).all()


@given(measurements())
def test_a_coefficient_lies_within_one(values):
    coefficient, p = autocorrelation_of(values)
    exists = ~np.isnan(coefficient)
    assert (np.abs(coefficient[exists]) <= 1).all()
    assert ((p[exists] >= 0) & (p[exists] <= 1)).all()


@pytest.mark.parametrize("scale", [1e-95, 1e-30, 1e30, 1e95])
def test_neither_tiny_nor_huge_values_break_it(scale):
    scaled = autocorrelation_of(np.array([SERIES]) * scale)
    np.testing.assert_allclose(scaled, autocorrelation_of([SERIES]), rtol=1e-9)


def test_independent_values_are_rarely_called_dependent():
    _, p = autocorrelation_of(np.random.default_rng(7).standard_normal((5000, 10)))
    assert (p < 0.01).mean() < 0.015


def test_values_that_differ_in_their_last_bit_only():
    row = np.full(10, 1e-9)
    row[3] = np.nextafter(row[3], 1)
    coefficient, p = autocorrelation_of([row])
    assert -1 < coefficient[0] < 1
    assert 0 < p[0] <= 1
