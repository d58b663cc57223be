"""Change points: compared with a brute-force optimum; invariances, false positives, power."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import signal, stats

from benchdb.stats.autoregression import dependence, inflation
from benchdb.stats.change_points import (
    LOOKS,
    MOST_CANDIDATES,
    SMALLEST_SEGMENT,
    SMALLEST_SERIES,
    History,
    NoHistory,
    _candidates,
    change_points,
)

NOISE = 0.03


def series(seed: int, runs: int, *, noise: float = NOISE, step: float = 1.0, at: int = 0) -> np.ndarray:
    """Runs around 100 with log-normal noise, multiplied by `step` from run `at` on."""
    values = 100 * np.exp(np.random.default_rng(seed).normal(0, noise, runs))
    values[at:] *= step
    return values


def places(history: History) -> list[int]:
    return [point.at for point in history.points]


def brute_force(level: np.ndarray, penalty: float) -> list[int]:
    """The segmentation with the least squared error and penalties, among all possible ones."""

    def cost(breaks: tuple[int, ...]) -> float:
        edges = [0, *breaks, len(level)]
        if min(b - a for a, b in pairwise(edges)) < SMALLEST_SEGMENT:
            return math.inf
        return penalty * len(breaks) + sum(((level[a:b] - level[a:b].mean()) ** 2).sum() for a, b in pairwise(edges))

    every = (b for k in range(len(level) // SMALLEST_SEGMENT) for b in combinations(range(1, len(level)), k))
    return list(min(every, key=cost))


@pytest.mark.parametrize("seed", range(60))
def test_candidates_are_the_best_of_all_segmentations(seed: int) -> None:
    runs = 6 + seed % 9
    level = np.log(series(seed, runs, step=1.2, at=runs // 2))
    assert _candidates(level, NOISE) == brute_force(level, 2 * math.log(runs) * NOISE**2)


@pytest.mark.parametrize("length", [3, 8])
def test_candidates_are_bounded_and_the_largest_steps_stay(length: int) -> None:
    """3,333 series of 600 steps with 200 candidates each held a web server for 2,400 s."""
    random = np.random.default_rng(length)
    level = np.repeat(random.permutation(600 // length) / 100.0, length) + random.normal(0, 1e-4, 600)
    level[300:] += 50

    found = _candidates(level, 1e-4)

    assert len(found) == MOST_CANDIDATES
    assert 300 in found


def test_one_step_has_the_figures_of_students_t_test() -> None:
    values = series(1, 24, step=1.25, at=14)
    history = change_points(values)
    (point,) = history.points
    reference = stats.ttest_ind(np.log(values[14:]), np.log(values[:14]))
    interval = reference.confidence_interval()

    assert point.certain
    assert (point.at, point.ratio) == (14, pytest.approx(stats.gmean(values[14:]) / stats.gmean(values[:14]), rel=1e-9))
    # Each side's spread is at least the pooled one, so the test is never stricter than Student's.
    assert reference.pvalue <= point.p < 1e-6
    assert point.low <= math.exp(interval.low) < math.exp(interval.high) <= point.high
    assert point.p_adjusted == pytest.approx(point.p * 19)
    assert [(part.first, part.last) for part in history.segments] == [(0, 13), (14, 23)]
    assert history.segments[0].level == pytest.approx(stats.gmean(values[:14]), rel=1e-9)
    assert history.noise == pytest.approx(NOISE, rel=0.5)


def test_with_equal_spread_it_is_exactly_students_t_test() -> None:
    half = [0.99, 1.01, 1.0, 1.02, 0.98]
    values = np.array(half + [1.1 * value for value in half])
    (point,) = change_points(values).points
    assert point.p == pytest.approx(stats.ttest_ind(np.log(values[5:]), np.log(values[:5])).pvalue, rel=1e-9)


def test_a_certain_point_allows_for_dependent_days_and_many_looks() -> None:
    values = series(2, 20, step=1.3, at=10)
    logs = np.log(values)
    (point,) = change_points(values).points
    noise = dependence(logs, [0, 10, 20]).dependent
    assert noise.correlation > 0

    spreads = [max(noise.sd, part.std(ddof=1)) for part in (logs[:10], logs[10:])]
    error = math.hypot(*spreads) * math.sqrt(inflation(noise.correlation, 10) / 10)
    change = logs[10:].mean() - logs[:10].mean()
    assert point.certain == (2 * stats.t.sf(change / error, 18) * 15 * LOOKS <= 0.05)
    ends = change + np.array([-1, 1]) * stats.t.ppf(0.975, 18) * error
    assert (point.low, point.high) == pytest.approx(tuple(np.exp(ends)), rel=1e-9)


def test_the_runs_of_a_day_count_once() -> None:
    daily = series(1, 12, noise=0.01, step=1.3, at=6)
    spread = np.repeat(daily, 3) * np.tile([0.98, 1.0, 1 / 0.98], 12)
    (one,), (three,) = change_points(daily).points, change_points(spread, days=np.repeat(range(12), 3)).points
    assert three.at == 3 * one.at == 18
    assert (three.ratio, three.p) == pytest.approx((one.ratio, one.p), rel=1e-9)
    assert change_points(spread, days=np.repeat(range(12), 3)).days == 12


def test_an_odd_day_sets_all_its_runs_aside() -> None:
    values = np.repeat(series(1, 12, noise=0.01), 2)
    values[8:10] *= 1.5
    assert change_points(values, days=np.arange(24) // 2).outliers == (8, 9)


def test_runs_of_few_days_are_not_searched() -> None:
    history = change_points(series(1, 20, step=2, at=10), days=np.arange(20) // 4)
    assert (history.reason, history.days, history.points) == (NoHistory.TOO_FEW_DAYS, 5, ())


def test_dependent_days_are_noticed_and_seldom_make_a_change_point() -> None:
    found = []
    for seed in range(200):
        logs = signal.lfilter([math.sqrt(1 - 0.6**2)], [1, -0.6], np.random.default_rng(seed).standard_normal(130))
        found.append(change_points(np.exp(NOISE * logs[-100:])))
    assert np.mean([any(point.certain for point in history.points) for history in found]) <= 0.05
    assert np.mean([history.dependent for history in found]) >= 0.8
    assert np.mean([history.correlation for history in found]) == pytest.approx(0.6, abs=0.1)


@pytest.mark.parametrize("runs", [6, 12, 30, 100])
def test_false_change_points_in_at_most_five_percent_of_histories(runs: int) -> None:
    found = [bool(change_points(series(seed, runs)).points) for seed in range(1000)]
    assert np.mean(found) <= 0.05
    if runs >= 30:  # the upper bound of a 99 % interval (Clopper and Pearson)
        assert stats.beta.ppf(0.99, sum(found) + 1, len(found) - sum(found)) <= 0.05


@pytest.mark.parametrize(("after", "power"), [(15, 0.99), (5, 0.97), (4, 0.93), (3, 0.8)])
def test_a_step_of_ten_percent_is_found(after: int, power: float) -> None:
    found = [places(change_points(series(seed, 30, step=1.1, at=30 - after))) for seed in range(300)]
    near = [any(abs(at - (30 - after)) <= 1 for at in each) for each in found]
    assert np.mean([bool(each) for each in found]) >= power
    assert np.mean(near) >= power - 0.05
    assert np.mean([len(each) <= 1 for each in found]) >= 0.95


def test_one_or_two_odd_runs_are_outliers_and_no_change_points() -> None:
    for seed in range(200):
        values = series(seed, 30, noise=0.01)
        values[12] *= 0.5
        values[20:22] *= 1.6
        history = change_points(values)
        assert set(history.outliers) >= {12, 20, 21}
        assert not {12, 13, 20, 22} & set(places(history))


def test_odd_runs_do_not_hide_a_step() -> None:
    breaks_of_series = []
    for seed in range(200):
        values = series(seed, 30, step=1.1, at=15)
        values[[5, 24]] *= 1.5
        breaks_of_series.append(places(change_points(values)))
    assert np.mean([any(13 <= at <= 17 for at in breaks) for breaks in breaks_of_series]) >= 0.95


def test_the_last_two_runs_are_outliers_until_a_third_comes() -> None:
    values = series(5, 20, noise=0.01, step=1.3, at=18)
    assert (places(change_points(values)), change_points(values).outliers) == ([], (18, 19))
    assert places(change_points([*values, values[-1]])) == [18]


@pytest.mark.parametrize(("odd", "days", "of_certain"), [(0.0, 30, False), (0.1, 100, True)])
def test_noise_with_heavy_tails_or_odd_days_makes_no_more_of_them(odd: float, days: int, of_certain: bool) -> None:
    """In one of ten histories with a tenth of odd days, three or more of these are neighbours."""
    found = 0
    for seed in range(400):
        rng = np.random.default_rng([3, seed])
        logs = NOISE * np.where(rng.random(days) < odd, -8, rng.standard_t(3, days))
        found += any(point.certain or not of_certain for point in change_points(100 * np.exp(logs)).points)
    assert found <= 20


@pytest.mark.parametrize(("days", "told"), [(30, 0.8), (90, 0.95)])
def test_a_drift_is_told_as_one(days: int, told: float) -> None:
    found = [change_points(series(seed, days) * np.linspace(1, 0.8, days)).points for seed in range(200)]
    assert np.mean([[bool(point.drift) for point in points] == [True] for points in found]) >= told
    drift = next(points[0] for points in found if len(points) == 1)
    assert drift.low < 0.8 < drift.high
    assert drift.drift == (0, days - 1)
    steps = change_points(series(0, days) * np.linspace(1, 0.8, days), drifts=False).points
    assert steps
    assert not any(point.drift for point in steps)


def test_several_steps_are_found() -> None:
    values = series(7, 60, noise=0.01)
    values[20:40] *= 0.9
    values[40:] *= 1.2
    assert places(change_points(values)) == [20, 40]


@given(st.integers(0, 10_000), st.integers(SMALLEST_SERIES, 40), st.floats(0.5, 2), st.sampled_from([1e-9, 1e-3, 1e12]))
def test_the_unit_does_not_matter(seed: int, runs: int, step: float, unit: float) -> None:
    values = series(seed, runs, step=step, at=runs // 2)
    one, other = change_points(values), change_points(values * unit)
    assert places(one) == places(other)
    assert one.outliers == other.outliers
    assert [point.ratio for point in one.points] == pytest.approx([point.ratio for point in other.points])


@given(st.integers(0, 10_000), st.integers(SMALLEST_SERIES, 40), st.floats(0.5, 2))
def test_read_backwards_it_changes_at_the_same_places(seed: int, runs: int, step: float) -> None:
    values = series(seed, runs, step=step, at=runs // 2)
    # Where drifts begin depends on the direction, because the longest ones are taken first from the left.
    forward, backward = (change_points(each, drifts=False) for each in (values, values[::-1]))
    # Compared by segments: beside an excluded run the change may be on either side of it.
    mirrored = [(runs - 1 - part.last, runs - 1 - part.first) for part in reversed(backward.segments)]
    assert [(part.first, part.last) for part in forward.segments] == mirrored
    assert [point.ratio for point in forward.points] == pytest.approx(
        [1 / point.ratio for point in reversed(backward.points)]
    )


def test_what_is_not_known_inside_the_runs_counts_as_noise() -> None:
    values = np.array([100, 101, 100, 101, 100, 101, 108, 109, 108, 109, 108, 109], dtype=float)
    assert places(change_points(values)) == [6]
    assert places(change_points(values, sds=9.0, ns=2)) == []


def test_runs_without_a_figure_are_passed_over_and_keep_their_places() -> None:
    values = series(9, 20, noise=0.01, step=1.3, at=10)
    history = change_points(np.insert(values, [0, 5, 10], np.nan))
    assert places(history) == [13]
    assert [(part.first, part.last) for part in history.segments] == [(1, 11), (13, 22)]


def test_figures_that_never_vary_change_where_they_do() -> None:
    history = change_points([1, 1, 1, 1.5, 1.5, 1.5])
    assert places(history) == [3]
    assert history.points[0].ratio == pytest.approx(1.5)
    assert change_points([2.0] * 20).points == ()
    assert change_points([2.0] * 10 + [2.0000001] * 10).points == ()


@pytest.mark.parametrize(
    ("means", "reason"),
    [
        ([], NoHistory.TOO_FEW),
        ([1.0] * (SMALLEST_SERIES - 1), NoHistory.TOO_FEW),
        ([1.0] * 5 + [np.nan] * 20, NoHistory.TOO_FEW),
        ([1.0] * 5 + [np.inf], NoHistory.TOO_FEW),
        ([1.0] * 9 + [0.0], NoHistory.NOT_POSITIVE),
        ([1.0] * 9 + [-2.0], NoHistory.NOT_POSITIVE),
    ],
)
def test_a_series_that_cannot_be_searched_says_why(means: list[float], reason: NoHistory) -> None:
    assert (change_points(means).reason, change_points(means).segments) == (reason, ())


@given(st.lists(st.floats(), max_size=40), st.floats(), st.integers(0, 30))
def test_any_floats_at_all_give_figures(means: list[float], sd: float, n: int) -> None:
    history = change_points(means, sds=sd, ns=n)
    for figure in [*history.points, *history.segments]:
        assert all(math.isfinite(getattr(figure, name)) for name in ("low", "high"))


def test_an_absurd_sd_is_an_unknown_one() -> None:
    assert change_points([1.0] * 6, sds=5e153, ns=1) == change_points([1.0] * 6)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="sds needs 6 numbers"):
        change_points([1.0] * 6, sds=[0.1] * 5)
