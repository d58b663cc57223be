from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from benchdb.stats import WarningCode, summarise
from benchdb.stats.ordering import sort_rows
from benchdb.stats.summary.modes import SMALLEST_N, TABLE, modes, p_of_dip
from tests.stats.dip_table import uniform_dips
from tests.stats.strategies import measurements

TWO_LEVELS = [10.0, 10.1, 9.9, 10.05, 9.95, 20.0, 20.1, 19.9, 20.05, 19.95]


def modes_of(values):
    values = np.array(values, dtype=float)
    return modes(sort_rows(values), (~np.isnan(values)).sum(axis=1))


def dip_by_definition(row):
    """The least d for which a unimodal distribution stays within d of the sample's: a linear program for each mode.

    Unknowns: the distribution function at each value (at the mode its left limit), at the mode from the right, and d.
    """
    x = np.sort(row)
    n = len(x)
    after, before = np.arange(1, n + 1) / n, np.arange(n) / n
    return min(_nearest(x, after, before, mode) for mode in range(n))


def _nearest(x, after, before, mode):
    n = len(x)
    unit, rows, limits = np.eye(n + 2), [], []

    def at_most(row, limit):
        rows.append(row)
        limits.append(limit)

    for i in range(n):
        right = n if i == mode else i
        at_most(-unit[right] - unit[-1], -after[i])
        at_most(unit[i] - unit[-1], before[i])
        if i == mode:
            at_most(-unit[i] - unit[-1], -before[i])
            at_most(unit[right] - unit[-1], after[i])
            at_most(unit[i] - unit[right], 0)
    left = [unit[i] for i in range(mode + 1)]
    right = [unit[n], *unit[mode + 1 : n]]
    for points, places, sign in ((left, x[: mode + 1], 1), (right, x[mode:], -1)):
        slopes = [(b - a) / (q - p) for a, b, p, q in zip(points, points[1:], places, places[1:])]  # noqa: B905
        for slope in slopes:
            at_most(-slope, 0)
        for first, second in pairwise(slopes):
            at_most(sign * (first - second), 0)
    solution = optimize.linprog(unit[-1], A_ub=np.array(rows), b_ub=limits, bounds=(0, 1))
    return solution.fun if solution.status == 0 else np.inf


@pytest.mark.parametrize("n", [8, 10, 15, 30])
def test_the_dip_is_what_its_definition_says(n):
    rng = np.random.default_rng(n)
    rows = np.array(
        [
            rng.random(n),
            rng.standard_normal(n),
            rng.lognormal(0, 1, n),
            np.append(rng.standard_normal(n // 3), rng.normal(5, 1, n - n // 3)),
        ]
    )
    expected = [dip_by_definition((row - row.min()) / np.ptp(row)) for row in rows]
    np.testing.assert_allclose(modes_of(rows).dip, expected, rtol=1e-9)


def test_the_largest_and_the_smallest_dip():
    even, heaps = np.arange(10.0), np.array([0.0] * 5 + [1.0] * 5) + np.arange(10) * 1e-6
    dip, p = modes_of([even, heaps])
    np.testing.assert_allclose(dip, [1 / 20, 1 / 4], rtol=1e-4)
    assert (p[0], p[1]) == (1, pytest.approx(0.0001))


@pytest.mark.parametrize("n", [8, 10, 23, 40, 55, 110])
def test_p_is_how_often_a_uniform_sample_has_such_a_dip(n):
    """Samples and sizes that are not in the table."""
    p = p_of_dip(uniform_dips(n, 20_000, seed=1), n)
    for level in (0.5, 0.1, 0.05, 0.01):
        error = 4 * np.sqrt(level / 20_000) + (0.05 * level if n > 40 else 0)
        assert (p <= level).mean() == pytest.approx(level, abs=error)


def test_the_table_falls_with_p_and_has_every_n_up_to_forty():
    rows = np.loadtxt(TABLE, delimiter=",")
    assert (np.diff(rows[1:, 1:], axis=1) >= 0).all()
    assert rows[1:34, 0].tolist() == list(range(SMALLEST_N, 41))


@pytest.mark.parametrize("draw", ["standard_normal", "standard_exponential", "standard_cauchy"])
def test_one_mode_however_skewed_or_wild_is_seldom_called_several(draw):
    _, p = modes_of(getattr(np.random.default_rng(20), draw)((5000, 10)))
    assert (p < 0.05).mean() < 0.025


def test_two_levels_are_found_and_warned_of_with_p_and_dip():
    (row,) = summarise([TWO_LEVELS]).rows()
    assert row.modes_p < 0.001
    (warning,) = (warning for warning in row.warnings if warning.code is WarningCode.MULTIMODAL)
    assert warning.numbers["p"] == row.modes_p
    assert 0.2 < warning.numbers["dip"] < 0.25


def test_an_outlier_is_no_mode():
    assert modes_of([[*TWO_LEVELS[:5], *(value + 10.02 for value in TWO_LEVELS[:4]), 99.0]]).p < 0.01
    assert modes_of([[10.0, 10.1, 9.9, 10.05, 9.95, 10.2, 9.8, 10.15, 9.85, 99.0]]).p > 0.5


def test_values_printed_coarsely_are_no_modes():
    coarse = np.round(np.random.default_rng(21).normal(100, 1, (2000, 12)))
    assert (modes_of(coarse).p < 0.01).mean() < 0.01
    assert (modes_of([[3.0] * 5 + [4.0] * 5]).p == 1).all()


def test_two_levels_printed_coarsely_are_still_found():
    assert modes_of([[10, 10, 10, 11, 11, 40, 40, 40, 41, 41]]).p < 0.01


@pytest.mark.parametrize("row", [[1.0, 2, 3, 4, 5, 6, 7], [3.0] * 10, [np.nan] * 10, [], np.arange(201.0)])
def test_nothing_is_said_of_few_values_equal_ones_or_very_many(row):
    assert np.isnan(modes_of([row])).all()


@given(measurements(st.tuples(st.integers(1, 6), st.integers(8, 15))), st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_unit_matters(values, random):
    order = list(range(values.shape[1]))
    random.shuffle(order)
    plain = modes_of(values)
    np.testing.assert_allclose(modes_of(values[:, order] * 2.0**10), plain, rtol=1e-12)
    exists = ~np.isnan(plain.dip)
    assert (plain.dip[exists] >= 1 / (2 * values.shape[1]) * (1 - 1e-9)).all()
    assert (plain.dip[exists] <= 0.25 * (1 + 1e-9)).all()


def test_rows_of_different_length_are_each_taken_for_themselves():
    rows = np.full((3, 12), np.nan)
    rows[0, :10], rows[1, 2:], rows[2] = TWO_LEVELS, TWO_LEVELS, np.arange(12)
    found = modes_of(rows)
    assert found.dip[0] == found.dip[1] == modes_of([TWO_LEVELS]).dip[0]
    assert found.p[2] == 1
