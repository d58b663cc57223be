import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from benchdb.stats import NONE, Cells, WarningCode, compare
from benchdb.stats.comparing.robustness import p_without_each, paired_p_without_each, weakest, without_each
from benchdb.stats.moments import moments
from tests.stats.strategies import measurements

RNG = np.random.default_rng(42)
FIRST, SECOND = RNG.normal(0.03, 0.02, (4, 7)), RNG.normal(0, 0.03, (4, 9))
FIRST[1, 2] = np.nan


def left_out(values, column):
    return np.delete(values, column, axis=1)


def warnings_of(cells, baseline, **options):
    compared = compare(Cells.of_values(np.exp(cells)), Cells.of_values(np.exp(baseline)), **options)
    return [[w for w in row if w.code is WarningCode.RESTS_ON_ONE_ROUND] for row in compared.warnings]


def test_moments_without_each_value_are_those_of_the_others():
    found = without_each(moments(FIRST), FIRST)
    for column in range(FIRST.shape[1]):
        there = ~np.isnan(FIRST[:, column])
        expected = moments(left_out(FIRST, column))
        for figure, of_others in zip(found, expected, strict=True):
            np.testing.assert_allclose(figure[there, column], of_others[there], rtol=1e-9)


def test_p_without_each_value_is_scipys():
    found = p_without_each(moments(FIRST), FIRST, moments(SECOND))
    for column in range(FIRST.shape[1]):
        others = left_out(FIRST, column)
        expected = stats.ttest_ind(others, SECOND, axis=1, equal_var=False, nan_policy="omit").pvalue
        there = ~np.isnan(FIRST[:, column])
        np.testing.assert_allclose(found[there, column], expected[there], rtol=1e-9)
    assert np.isnan(found[1, 2])


def test_paired_p_without_each_pair_is_scipys():
    pairs = FIRST[[0, 2, 3]]
    found = paired_p_without_each(moments(pairs), pairs)
    for column in range(pairs.shape[1]):
        expected = stats.ttest_1samp(left_out(pairs, column), 0, axis=1).pvalue
        np.testing.assert_allclose(found[:, column], expected, rtol=1e-9)


@given(measurements())
def test_leaving_a_value_out_never_gives_a_negative_spread(values):
    n, _, sd = without_each(moments(values), values)
    assert (sd[~np.isnan(sd)] >= 0).all()
    assert (n == values.shape[1] - 1).all()


def test_the_weakest_is_the_greatest_p_unless_all_are_significant():
    p = np.array([[0.01, 0.2, 0.3], [0.01, 0.02, np.nan], [np.nan, 0.06, 0.01]])
    assert weakest(p, 0.05).tolist() == [2, NONE, 1]
    assert weakest(p, np.array([0.5, 0.02, 0.06])).tolist() == [NONE, 1, 1]
    assert weakest(np.empty((2, 0)), 0.05).tolist() == [NONE, NONE]


def test_a_verdict_that_vanishes_without_one_round_says_which():
    cells, base = RNG.normal(0.021, 0.02, (1, 8)), RNG.normal(0, 0.02, (1, 8))
    p = np.concatenate(
        [
            p_without_each(moments(cells), cells, moments(base)),
            p_without_each(moments(base), base, moments(cells)),
        ],
        axis=1,
    )[0]
    whole = stats.ttest_ind(cells[0], base[0], equal_var=False).pvalue
    level = (whole + p.max()) / 2  # significant as a whole, not without the weakest value
    assert whole < level < p.max()
    ((warning,),) = warnings_of(cells, base, level=level, margin=1e-6)
    assert (warning.numbers["rounds"], warning.numbers["side"]) == ((int(p.argmax()) % 8,), p.argmax() // 8)
    assert warning.numbers["p"] == pytest.approx(p.max(), rel=1e-9)
    assert warnings_of(cells, base, level=(1 + p.max()) / 2, margin=1e-6) == [[]]


def test_the_level_is_that_of_the_table():
    """A called cell of a table stays called up to the greatest p that is, not up to its own."""
    strong, weak = RNG.normal(0.1, 0.01, (9, 8)), RNG.normal(0.02, 0.02, (1, 8))
    base = RNG.normal(0, 0.02, (10, 8))
    cells = np.concatenate([strong, weak])
    compared = compare(Cells.of_values(np.exp(cells)), Cells.of_values(np.exp(base)))
    for row, warned in enumerate(warnings_of(cells, base)):
        if compared.p_adjusted[row] >= 0.05:
            assert not warned
            continue
        vanishes = []
        for column in range(8):
            others = compared.p.copy()
            others[row] = stats.ttest_ind(np.delete(cells[row], column), base[row], equal_var=False).pvalue
            vanishes.append(stats.false_discovery_control(others)[row] >= 0.05)
            others[row] = stats.ttest_ind(cells[row], np.delete(base[row], column), equal_var=False).pvalue
            vanishes.append(stats.false_discovery_control(others)[row] >= 0.05)
        assert bool(warned) == any(vanishes)


def test_with_fewer_than_five_values_nothing_is_said():
    cells, base = np.array([[0.10, 0.12, 0.11, 0.13]]), np.array([[0.00, 0.09, 0.02, 0.04]])
    assert compare(Cells.of_values(np.exp(cells)), Cells.of_values(np.exp(base))).p[0] < 0.05
    assert warnings_of(cells, base) == [[]]


def test_of_paired_campaigns_both_runs_are_left_out():
    days = RNG.normal(0, 0.3, (1, 6))
    cells, base = days + np.array([[0.02, 0.05, 0.03, 0.11, 0.01, 0.04]]), days
    blocks = np.array([[4, 2, 9, 1, 7, 5]])
    pairs = cells - base
    p = np.array([stats.ttest_1samp(np.delete(pairs[0], i), 0).pvalue for i in range(6)])
    level = (stats.ttest_1samp(pairs[0], 0).pvalue + p.max()) / 2
    sides = (Cells.of_values(np.exp(side), runs=6, blocks=blocks) for side in (cells, base))
    (found,) = compare(*sides, level=level, margin=1e-6).warnings
    (warning,) = (w for w in found if w.code is WarningCode.RESTS_ON_ONE_ROUND)
    assert (warning.numbers["rounds"], warning.numbers["side"]) == ((int(p.argmax()),), 0)


def test_eleven_rounds_do_not_become_few_by_leaving_one_out():
    """The condition on ten rounds or fewer, which did not apply to the verdict, applies to no part of it either."""
    rng = np.random.default_rng(11)
    noisy = 0.3 * rng.standard_normal((2, 6, 11))
    quiet = 0.01 * rng.standard_normal((2, 1, 11)) + np.array([0.12, 0.0]).reshape(2, 1, 1)
    sides = np.concatenate([quiet, noisy], axis=1)
    cells, baseline = (Cells.of_values(np.exp(side), kinds=0) for side in sides)

    found = compare(cells, baseline)

    assert found.p_adjusted[0] < 1e-6
    assert not [w for w in found.warnings[0] if w.code is WarningCode.RESTS_ON_ONE_ROUND]
