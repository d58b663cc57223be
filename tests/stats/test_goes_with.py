"""Quantities that differ beside a difference: agreement with SciPy, few rounds, zeros, selection and ranks."""

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.arrays import FloatArray
from benchdb.stats.goes_with import (
    LEAST_SPREAD,
    LEVEL,
    MARGIN,
    ChangedQuantities,
    QuantityFigures,
    QuantityPair,
    changed_quantities,
    sample_of,
)

FLOOR = 0.5


def noisy(rng: np.random.Generator, means: list[float], rounds: int, spread: float = 0.1) -> FloatArray:
    return np.array(means)[:, np.newaxis] * np.exp(spread * rng.normal(size=(len(means), rounds)))


def figures(values: FloatArray, rates: FloatArray | None = None, runs: int = 1) -> QuantityFigures:
    return QuantityFigures(values, np.full(values.shape, np.nan) if rates is None else rates, runs)


def pair(first: QuantityFigures, second: QuantityFigures, floor: float = FLOOR) -> QuantityPair:
    floors = np.full(len(first.values), floor)
    return QuantityPair(first, second, floors, floors)


def compared(first: FloatArray, second: FloatArray, floor: float = FLOOR) -> ChangedQuantities:
    (changed,) = changed_quantities([pair(figures(first), figures(second), floor)])
    return changed


def test_ratio_p_and_interval_agree_with_scipy() -> None:
    rng = np.random.default_rng(5)
    first, second = noisy(rng, [130, 70], 12), noisy(rng, [100, 100], 11, 0.2)
    changed = compared(first, second)
    for i in range(2):
        one, other = np.log(first[i] + FLOOR), np.log(second[i] + FLOOR)
        of_scipy = stats.ttest_ind(one, other, equal_var=False)
        nearest = np.sign(of_scipy.statistic) * np.log1p(MARGIN)
        beyond = stats.ttest_ind(one - nearest, other, equal_var=False)
        interval = of_scipy.confidence_interval(1 - changed.named.sum() * LEVEL / 2 if changed.named[i] else 0.95)
        assert changed.ratio[i] == pytest.approx(np.exp(one.mean() - other.mean()), rel=1e-9)
        assert changed.p[i] == pytest.approx(beyond.pvalue, rel=1e-9)
        assert (changed.low[i], changed.high[i]) == pytest.approx(tuple(np.exp(interval)), rel=1e-9)
    assert changed.p_adjusted == pytest.approx(stats.false_discovery_control(changed.p), rel=1e-9)


def test_named_intervals_exclude_the_margin_and_others_do_not() -> None:
    rng = np.random.default_rng(6)
    changed = compared(noisy(rng, [100 * 1.06**i for i in range(12)], 7), noisy(rng, [100] * 12, 7))
    beyond = (changed.low > 1 + MARGIN) | (changed.high < 1 / (1 + MARGIN))
    assert 0 < changed.named.sum() < 12
    assert (beyond[changed.named]).all()
    assert (changed.certain > np.log1p(MARGIN))[changed.named].all()


def test_none_against_the_same_count_in_every_round_is_named() -> None:
    """Neither side varies, so nothing but the least spread can be tested against."""
    none, some = np.zeros((1, 6)), np.full((1, 6), 512.0)
    changed = compared(none, some)
    assert changed.named.all()
    assert changed.ratio[0] == pytest.approx(FLOOR / (512 + FLOOR))
    assert not compared(np.full((1, 6), 512.0), np.full((1, 6), 520.0)).named.any()


def test_trickles_below_the_floor_are_not_named() -> None:
    assert not compared(np.full((1, 6), 0.001), np.full((1, 6), 0.01), floor=1.0).named.any()


@pytest.mark.parametrize(("rounds", "runs", "tested"), [(5, 1, False), (6, 1, True), (2, 2, False), (3, 3, True)])
def test_few_rounds_or_runs_are_not_tested(rounds: int, runs: int, tested: bool) -> None:
    first, second = np.full((1, rounds), 9.0), np.full((1, rounds), 1.0)
    (changed,) = changed_quantities([pair(figures(first, runs=runs), figures(second, runs=runs))])
    assert changed.named.tolist() == [tested]
    assert bool(np.isnan(changed.p[0])) is not tested


def test_quantities_that_never_happened_are_no_tests() -> None:
    rng = np.random.default_rng(7)
    first, second = noisy(rng, [120, 100], 6), noisy(rng, [100, 100], 6)
    quiet = np.zeros((30, 6))
    alone, among = compared(first, second), compared(np.vstack([first, quiet]), np.vstack([second, quiet]))
    assert np.isnan(among.p_adjusted[2:]).all()
    assert among.p_adjusted[:2] == pytest.approx(alone.p_adjusted)


def test_means_of_several_runs_are_the_sample() -> None:
    rounds = [np.array([[1.0, 4.0]]), np.array([[2.0, 2.0]]), np.array([[9.0, np.nan]])]
    assert sample_of(rounds, np.array([0.0])) == pytest.approx(np.array([[2.0, 2.0, 9.0]]))
    assert sample_of(rounds[:1], np.array([0.0])) is rounds[0]


def test_few_rounds_are_compared_with_the_usual_spread_of_all_sides_of_a_page() -> None:
    """The rounds of the first rival have hardly any spread, those of the others show what is usual."""
    rng = np.random.default_rng(3)
    quiet, base = np.array([[100.0, 101, 100, 101, 100, 101]]), np.array([[80.0, 81, 80, 81, 80, 81]])
    others = [noisy(rng, [100], 6, 0.3) for _ in range(3)]
    sides = [figures(side) for side in (quiet, *others)]
    alone, *_ = changed_quantities([pair(sides[0], figures(base))])
    beside, *_ = changed_quantities([pair(side, figures(base)) for side in sides])

    sds = [max(np.log(side[0] + FLOOR).std(ddof=1), LEAST_SPREAD) for side in (quiet, *others, base)]
    error = np.sqrt(np.mean(np.square(sds)) * (1 / 6 + 1 / 6))
    distance = abs(np.log(quiet + FLOOR).mean() - np.log(base + FLOOR).mean()) - np.log1p(MARGIN)
    assert beside.p[0] == pytest.approx(2 * stats.t.sf(distance / error, 5 * 5))
    assert (alone.named[0], beside.named[0]) == (True, False)
    assert (beside.low[0], beside.high[0]) == pytest.approx((alone.low[0], alone.high[0]), rel=0.01)


def test_all_pairs_are_one_family_and_ranks_follow_the_certain_change() -> None:
    rng = np.random.default_rng(8)
    base = noisy(rng, [100] * 3, 6, 0.03)
    sides = [noisy(rng, means, 6, 0.03) for means in ([200, 100, 20], [100, 100, 100])]
    both = changed_quantities([pair(figures(side), figures(base)) for side in sides])
    together = stats.false_discovery_control(np.concatenate([each.p for each in both]))
    assert np.concatenate([each.p_adjusted for each in both]) == pytest.approx(together)
    assert [each.ranked for each in both] == [[2, 0], []]
    assert changed_quantities([]) == []


@pytest.mark.parametrize(("rate", "named"), [(10.0, False), (5.0, False), (10.4, False), (20.0, True), (np.nan, True)])
def test_what_runs_with_the_clock_must_change_in_a_second_too(rate: float, named: bool) -> None:
    """The first side takes four times as long for its work: everything happens four times as often in its rounds."""
    noise = np.exp(0.05 * np.random.default_rng(9).normal(size=(1, 6)))
    first, second = figures(40 * noise, rate * noise), figures(10 * noise[:, ::-1], 10 * noise)
    (changed,) = changed_quantities([pair(first, second)])
    assert changed.named.tolist() == [named]
    assert changed.ratio[0] == pytest.approx(40.5 / 10.5, rel=0.05)
