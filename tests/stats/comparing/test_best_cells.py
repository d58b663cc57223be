from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats import CacheVerdict, Cells, NoBest, NoVerdict, best_sets, compare
from tests.stats.strategies import anything, measurements
from tests.support.comparing.best import best_set

DEVICE, CACHED, MIXED, UNKNOWN = CacheVerdict.DEVICE, CacheVerdict.CACHED, CacheVerdict.MIXED, CacheVerdict.UNKNOWN
SHAKE = np.array([-1.0, 0.5, 0.0, 1.0, -0.5, 0.3])


def row_of(*means, **options):
    return Cells.of_values([mean + SHAKE for mean in means], **options)


def test_one_cell_that_beats_every_rival():
    found = best_set(row_of(100, 150, 120))
    assert (found.members, len(found.members), found.reason) == ((1,), 1, None)


def test_of_times_the_shortest():
    assert best_set(row_of(100, 150, 120), higher_is_better=False).members == (0,)


def test_cells_that_cannot_be_told_from_the_leader_tie():
    found = best_set(row_of(150.1, 100, 150))
    assert found.members == (0, 2)
    assert len(found.members) > 1


def test_all_may_tie():
    assert best_set(row_of(100, 100.1, 99.9)).members == (0, 1, 2)


def test_published_means_are_ranked_too():
    # Layton (2009), table 2, random write: Reiser4, ext3, ext4, KB/s, n = 10.
    cells = Cells.of_moments(10, [62220.00, 53709.90, 66683.50], [98.06, 712.81, 445.16])
    assert best_set(cells).members == (2,)


@pytest.mark.parametrize("barred", [NoVerdict.FAILED, NoVerdict.CLOCK])
def test_a_barred_cell_is_no_rival(barred):
    found = best_set(row_of(100, 150, 90, barred=[None, None, barred]))
    assert (found.members, found.left_out) == ((1,), (2,))


def test_a_cell_with_one_value_in_the_lead_leaves_the_row_without_best():
    found = best_set(Cells.of_values([[200.0, *[np.nan] * 5], 100 + SHAKE, 150 + SHAKE]))
    assert (found.members, found.left_out, found.reason) == ((), (0,), NoBest.UNTESTED_LEADS)


def test_a_cell_with_one_value_behind_is_left_out():
    found = best_set(Cells.of_values([[10.0, *[np.nan] * 5], 100 + SHAKE, 150 + SHAKE]))
    assert (found.members, found.left_out, found.reason) == ((2,), (0,), None)


@pytest.mark.parametrize("values", [np.zeros((0, 3)), [[1.0, 2.0]], [[1.0, 2.0], [np.nan, np.nan]]])
def test_one_cell_has_no_rival(values):
    found = best_set(Cells.of_values(values))
    assert (found.members, found.reason) == ((), NoBest.TOO_FEW_CELLS)


def test_cells_without_any_variation_tie():
    assert best_set(Cells.of_values([[5.0] * 4, [6.0] * 4])).members == (0, 1)


def test_the_leader_has_the_best_mean_of_those_that_the_tests_compare():
    skewed = [10.0, 11.0, 9.0, 10.5, 9.5, 10.0, 10.2, 9.8, 1e4]
    base = [50.0, 51.0, 49.0, 50.5, 49.5, 50.0, 50.2, 49.8, 50.1]
    values = np.array([skewed + [value / 1.5 for value in skewed], base + base])
    assert best_set(Cells.of_values(values), level=0.2).members == (1,)
    published = Cells.of_moments(18, values.mean(axis=1), values.std(axis=1, ddof=1))
    assert best_set(published).members == (0,)


def test_a_row_with_a_published_cell_is_about_arithmetic_means():
    values = np.array([[90.0, 110, 100, 104], [140, 160, 150, 151], [np.nan] * 4])
    cells = Cells.of_moments(4, [101.0, 150.25, 200.0], [8.4, 8.2, 5.0], values=values)
    assert best_set(cells).members == (2,)


@pytest.mark.parametrize(
    ("cache", "reason"),
    [
        ([DEVICE, DEVICE, CACHED], NoBest.CACHE),
        ([CACHED, DEVICE, UNKNOWN], NoBest.CACHE),
        ([DEVICE, MIXED, UNKNOWN], None),
        ([CACHED, CACHED, MIXED], None),
    ],
)
def test_rivals_that_measured_different_things_have_no_best(cache, reason):
    found = best_set(row_of(100, 150, 120, cache=cache))
    assert (found.members, found.reason) == (() if reason else (1,), reason)


def test_a_failed_cell_measured_nothing():
    found = best_set(row_of(100, 150, 90, cache=[DEVICE, DEVICE, CACHED], barred=[None, None, NoVerdict.FAILED]))
    assert (found.members, found.reason) == ((1,), None)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_set_is_what_scipys_tests_of_all_pairs_say(seed):
    values = np.random.default_rng(seed).lognormal(np.linspace(0, 0.2, 9)[:, np.newaxis], 0.05, (9, 7))
    logs = np.log(values)
    leader = int(logs.mean(axis=1).argmax())
    p = {pair: stats.ttest_ind(*logs[list(pair)], equal_var=False).pvalue for pair in combinations(range(9), 2)}
    adjusted = dict(zip(p, stats.false_discovery_control([*p.values()]), strict=True))
    beaten = {sum(pair) - leader for pair in p if leader in pair and adjusted[pair] < 0.05}
    assert 0 < len(beaten) < 8
    assert best_set(Cells.of_values(values), level=0.05).members == tuple(sorted(set(range(9)) - beaten))


def test_two_hundred_rivals_measured_and_published():
    values = np.random.default_rng(25).normal(100, 1, (200, 10))
    values[[3, 77]] += 50
    values[100:] = np.nan
    n, mean, sd = (np.full(200, figure) for figure in (10, 100.0, 1.0))
    measured = Cells.of_values(values[:100])
    mean[:100], sd[:100] = measured.mean, measured.sd
    best = best_set(Cells.of_moments(n, mean, sd, values=values))
    assert (best.members, best.left_out) == ((3, 77), ())


@given(anything(), st.booleans())
def test_any_floats_give_places_in_the_row(values, higher_is_better):
    found = best_set(Cells.of_values(values), higher_is_better=higher_is_better)
    assert (found.members == ()) == (found.reason is not None)
    assert not set(found.members) & set(found.left_out)


@given(measurements(), st.randoms(use_true_random=False))
def test_the_order_of_the_row_does_not_matter(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    plain, shuffled = best_set(Cells.of_values(values)), best_set(Cells.of_values(values[order]))
    means = Cells.of_values(values).log_moments.mean
    # If several cells lead with equal means, any of them may be the leader, with its own set.
    if len(set(means.tolist())) == len(means):
        assert set(plain.members) == {order[position] for position in shuffled.members}


@given(measurements(), st.data())
def test_many_rows_at_once_exclude_no_cell_that_a_row_alone_does_not(values, data):
    cells = Cells.of_values(values)
    places = st.lists(st.integers(0, len(values) - 1), max_size=6, unique=True)
    rows = data.draw(st.lists(st.tuples(places, st.booleans()), max_size=5))
    for found, (row, up) in zip(best_sets(cells, *zip(*rows, strict=True)) if rows else [], rows, strict=True):
        alone = best_set(cells.take(row), higher_is_better=up)
        assert (found.left_out, found.reason) == (alone.left_out, alone.reason)
        assert set(alone.members) <= set(found.members)


def test_rows_are_selected_before_their_pairs():
    """By the definition of Benjamini and Bogomolov, with SciPy's tests and correction."""
    rng = np.random.default_rng(3)
    logs = 0.05 * rng.standard_normal((3, 30, 8))
    logs[0, :10] += rng.uniform(0, 0.2, (10, 1))
    p = [[stats.ttest_ind(logs[i, row], logs[j, row], equal_var=False).pvalue for i, j in combinations(range(3), 2)]
         for row in range(30)]  # fmt: skip
    inside = [stats.false_discovery_control(row) for row in p]
    selected = stats.false_discovery_control([min(row) for row in inside]) < 0.045
    level = 0.05 * selected.mean()

    found = best_sets(
        Cells.of_values(np.exp(logs).reshape(-1, 8)), [[r, 30 + r, 60 + r] for r in range(30)], [True] * 30, level=0.05
    )

    for row, best in enumerate(found):
        leader = int(logs[:, row].mean(axis=1).argmax())
        pairs = zip(combinations(range(3), 2), inside[row], strict=True)
        beaten = {sum(pair) - leader for pair, q in pairs if leader in pair and q < level and selected[row]}
        assert best.members == tuple(sorted({0, 1, 2} - beaten))
    assert 3 < selected.sum() < 20


def test_equal_systems_rarely_have_any_loser_in_a_table():
    """A mark in each twentieth row would be one in almost every table."""
    rng = np.random.default_rng(18)
    tables = [
        best_sets(Cells.of_values(rng.normal(100, 3, (60, 10))), np.arange(60).reshape(15, 4).tolist(), [True] * 15)
        for _ in range(150)
    ]
    assert sum(any(len(row.members) < 4 for row in rows) for rows in tables) <= 0.08 * len(tables)


def test_equal_systems_rarely_have_a_loser():
    rng = np.random.default_rng(17)
    rows = [best_set(Cells.of_values(rng.normal(100, 3, (5, 10)))) for _ in range(400)]
    assert sum(len(row.members) < 5 for row in rows) <= 0.08 * len(rows)


def test_rivals_of_the_same_campaigns_are_compared_in_pairs():
    """Days that differ by 30 % hide the 5 % of the second rival from Welch's test, but not from that of pairs."""
    days = np.array([1.0, 1.3, 0.8, 1.1])
    values = [100 * days, 105 * days * [1.001, 0.999, 1.0, 1.001]]
    blocks = np.tile(np.arange(4), (2, 1))
    assert best_set(Cells.of_values(values, runs=4, blocks=blocks)).members == (1,)
    assert best_set(Cells.of_values(values, runs=4)).members == (0, 1)


def test_a_mark_of_few_rounds_looks_at_the_spread_of_the_whole_table():
    """Beside cells of 40 % noise, two quiet cells on two levels are no winner and loser, whatever the size of rows."""
    noise = 100 * np.exp(0.4 * np.random.default_rng(3).standard_normal((30, 3)))
    cells = Cells.of_values([[100.0, 100.1, 99.9], [120.0, 120.1, 119.9], *noise])
    quiet, *_ = best_sets(cells, [[0, 1], [*range(2, 32)]], [True, True])
    assert quiet.members == (0, 1)
    assert compare(cells.take([1]), cells.take([0])).p_adjusted[0] > 0.05
