import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.ingest.contract.result import MOST_ROUNDS
from benchdb.stats.moments import moments
from benchdb.stats.ordering import sort_rows
from benchdb.stats.summary.drift import drift
from tests.stats.strategies import measurements

RISING = [5.12, 4.98, 5.31, 5.07, 5.44, 5.29, 5.51, 5.38, 5.62, 5.47]
RISING_WITH_TIES = [5.1, 5.0, 5.3, 5.1, 5.4, 5.3, 5.5, 5.4, 5.6, 5.5]


def drift_of(values):
    values = np.array(values, dtype=float)
    n, mean, _ = moments(values)
    return drift(values, sort_rows(values), n, mean)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 10, 20, 33, 100])
def test_tau_and_exact_p_agree_with_scipy(n):
    values = np.random.default_rng(n).normal(size=(20, n))
    found = drift_of(values)
    for row, tau, p in zip(values, found.tau, found.p, strict=True):
        reference = stats.kendalltau(np.arange(n), row, method="exact")
        assert (tau, p) == pytest.approx((reference.statistic, reference.pvalue), rel=1e-9, abs=1e-12)


def test_p_with_ties_agrees_with_pymannkendall():
    # Recorded: pymannkendall 1.4.3, original_test(RISING_WITH_TIES): s = 31, var_s = 121.
    assert drift_of([RISING_WITH_TIES]).p[0] == pytest.approx(0.006386023282707098, rel=1e-9)


def test_normal_approximation_agrees_with_pymannkendall():
    # Recorded: pymannkendall 1.4.3, original_test(RISING * 4): s = 108, var_s = 7280.
    assert drift_of([RISING * 4]).p[0] == pytest.approx(0.20982043672527118, rel=1e-9)


def test_beyond_the_exact_distribution_the_approximation_is_close():
    values = np.random.default_rng(34).normal(np.arange(101) / 200, 1, (20, 101))
    exact = [stats.kendalltau(np.arange(101), row, method="exact").pvalue for row in values]
    np.testing.assert_allclose(drift_of(values).p, exact, rtol=0, atol=1e-3)


def test_tau_with_ties_is_tau_b():
    reference = stats.kendalltau(np.arange(10), RISING_WITH_TIES).statistic
    assert drift_of([RISING_WITH_TIES]).tau[0] == pytest.approx(reference, rel=1e-9)


def test_change_agrees_with_linregress_over_the_measured_rounds():
    values = np.array([RISING])
    values[0, [0, 4]] = np.nan
    rounds = np.flatnonzero(~np.isnan(values[0]))
    expected = stats.linregress(rounds, values[0, rounds]).slope * (rounds[-1] - rounds[0]) / values[0, rounds].mean()
    assert drift_of(values).change[0] == pytest.approx(expected, rel=1e-9)


def test_a_steady_fall_of_ten_percent():
    tau, p, change = drift_of([np.linspace(105, 95, 11)])
    assert tau[0] == pytest.approx(-1)
    assert p[0] == pytest.approx(2 / 39916800)  # 2/11!
    assert change[0] == pytest.approx(-0.1)


def test_a_missing_round_does_not_count():
    with_gap = drift_of([[1.0, np.nan, 2, 4, np.nan, 3, 5]])
    without = drift_of([[1.0, 2, 4, 3, 5]])
    assert (with_gap.tau[0], with_gap.p[0]) == (without.tau[0], without.p[0])


@pytest.mark.parametrize("row", [[1.0, 2.0], [3.0] * 10, [np.nan] * 10, []])
def test_no_drift_without_three_different_values(row):
    assert np.isnan(drift_of([row])).all()


@given(measurements())
def test_turned_round_in_time_the_drift_turns_its_sign(values):
    forward, backward = drift_of(values), drift_of(values[:, ::-1])
    np.testing.assert_allclose(forward.tau, -backward.tau, atol=1e-12)
    np.testing.assert_allclose(forward.p, backward.p, rtol=1e-12)
    np.testing.assert_allclose(forward.change, -backward.change, rtol=1e-6, atol=1e-9)


@given(st.integers(3, 12).flatmap(lambda n: st.permutations(range(n))))
def test_p_is_a_probability_and_tau_a_correlation(order):
    tau, p, _ = drift_of([order])
    assert -1 <= tau[0] <= 1
    assert 0 < p[0] <= 1


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_long_rows_have_the_same_drift_as_pairs_compared_one_by_one(monkeypatch, digits, missing):
    random = np.random.default_rng(digits)
    values = random.normal(np.arange(60) / 50, 1, (30, 60)).round(digits)
    values[random.random(values.shape) < missing] = np.nan
    values[0] = 4.0
    values[1, 2:] = np.nan
    expected = drift_of(values)
    monkeypatch.setattr("benchdb.stats.summary.drift.LAGS_UP_TO", 10)
    for column, other in zip(drift_of(values), expected, strict=True):
        np.testing.assert_array_equal(column, other)


def test_the_most_rounds_that_a_document_may_have():
    values = np.random.default_rng(1).normal(size=(2, MOST_ROUNDS)) + np.arange(MOST_ROUNDS) / 50_000
    found = drift_of(values)
    reference = stats.kendalltau(np.arange(MOST_ROUNDS), values[0], method="asymptotic")
    assert found.tau[0] == pytest.approx(reference.statistic, rel=1e-9)
    assert (found.p < 1e-6).all()
