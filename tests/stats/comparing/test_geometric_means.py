import numpy as np
import pytest
from scipy import stats

from benchdb.stats import (
    NONE,
    Cells,
    NoVerdict,
    Verdict,
    compare,
    geometric_mean,
    judge_means,
    part_it_rests_on,
    rounds_for_means,
)
from benchdb.stats.comparing.few_rounds import UsualSpread
from benchdb.stats.comparing.ratio import Ratio, Side, ratios_of
from benchdb.stats.comparing.rounds_needed import rounds_for_precision, rounds_to_decide

RNG = np.random.default_rng(23)
CELLS, BASE = RNG.lognormal(0.1, 0.05, (6, 10)), RNG.lognormal(0, 0.05, (6, 8))


def gmean_of(cells, base, groups, **options):
    return geometric_mean(Cells.of_values(cells), Cells.of_values(base), groups, **options)


def test_agreement_with_scipys_geometric_mean():
    groups = np.array([[True] * 6, [True, False] * 3])
    ratios = stats.gmean(CELLS, axis=1) / stats.gmean(BASE, axis=1)
    found = gmean_of(CELLS, BASE, groups)
    np.testing.assert_allclose(found.ratio, [stats.gmean(ratios), stats.gmean(ratios[::2])], rtol=1e-9)
    assert found.cells.tolist() == [6, 3]


def test_its_interval_is_that_of_welchs_test_on_the_rounds():
    rounds, base_rounds = np.log(CELLS).mean(axis=0), np.log(BASE).mean(axis=0)
    expected = stats.ttest_ind(rounds, base_rounds, equal_var=False).confidence_interval()
    mean_ratio = gmean_of(CELLS, BASE, [[True] * 6])
    half = (expected.high - expected.low) / 2
    np.testing.assert_allclose(np.log(mean_ratio.interval.high / mean_ratio.ratio), half, rtol=1e-9)
    np.testing.assert_allclose(np.log(mean_ratio.ratio / mean_ratio.interval.low), half, rtol=1e-9)


@pytest.mark.parametrize(("looks", "share"), [(0, 1.0), (1, 0.98), (2, 0.015)])
def test_intervals_of_several_means_hold_together(looks, share):
    groups = np.array([[True] * 6, [True, False] * 3, [False, True] * 3])
    means = gmean_of(CELLS, BASE, groups).ratios
    found = judge_means(means, np.full(3, looks), higher_is_better=np.array([True, True, False]), margin=0.05)

    for group, low, high, level in zip(groups, *found.interval, found.level, strict=True):
        assert level == pytest.approx(0.05 * share / 3)
        rounds = [np.log(side[group]).mean(axis=0) for side in (CELLS, BASE)]
        expected = stats.ttest_ind(*rounds, equal_var=False).confidence_interval(1 - level)
        np.testing.assert_allclose(np.log([low, high]), expected, rtol=1e-6)


def test_verdicts_on_means_are_what_their_intervals_say():
    log = np.array([np.log(1.2), np.log(1.2), 0.001, 0.0, np.nan, 0.03])
    error = np.array([0.01, 0.01, 0.01, 0.2, np.nan, 0.005])
    upward = np.array([True, False, True, True, True, True])
    means = Ratio(log, error, np.full(6, 20.0))

    found = judge_means(means, np.zeros(6, dtype=np.int64), higher_is_better=upward, margin=0.05)

    assert found.verdict == (
        Verdict.BETTER,
        Verdict.WORSE,
        Verdict.EQUIVALENT,
        Verdict.INCONCLUSIVE,
        Verdict.NONE,
        Verdict.EQUIVALENT,  # differs from 1, but by less than the margin
    )
    assert found.level[0] == pytest.approx(0.05 / 5)  # the mean without an error is none of the tests


def test_rounds_of_a_mean_are_those_of_a_cell_with_its_rounds():
    """A mean over cells asks for as many rounds as one cell whose values are the means of the rounds."""
    rng = np.random.default_rng(3)
    cells, base = (np.exp(rng.normal(shift, 0.2, (4, 6))) for shift in (0.12, 0.0))
    means = gmean_of(cells, base, [[True] * 4])
    judged = judge_means(means.ratios, np.zeros(1, dtype=np.int64), higher_is_better=np.array([True]), margin=0.05)
    assert judged.verdict == (Verdict.INCONCLUSIVE,)

    sides = [Cells.of_values(np.exp(np.log(side).mean(axis=0, keepdims=True))) for side in (cells, base)]
    moments = [Side.of(side).geometric for side in sides]
    (precise,), (decide,) = rounds_for_means(means, judged, 0.05)
    assert precise == rounds_for_precision(*moments, ratios_of(*sides), 0.05)[0] > 0
    usual = UsualSpread(np.zeros(1), np.full(1, np.inf))
    assert decide == rounds_to_decide(*moments, ratios_of(*sides), level=judged.level, usual=usual, margin=0.05)[0]
    decided = judged._replace(verdict=(Verdict.BETTER,))
    assert [numbers.tolist() for numbers in rounds_for_means(means, decided, 0.05)] == [[-1], [-1]]


def test_no_means_have_no_verdicts():
    nothing = np.zeros(0)
    found = judge_means(Ratio(nothing, nothing, nothing), nothing, higher_is_better=nothing > 0, margin=0.05)
    assert found.verdict == ()


def test_a_round_that_a_cell_lacks_does_not_count():
    gaps = CELLS.copy()
    gaps[2, 4] = np.nan
    whole = np.delete(CELLS, 4, axis=1)
    widths = [
        np.log(of.interval.high / of.ratio) for of in (gmean_of(part, BASE, np.ones((1, 6))) for part in (gaps, whole))
    ]
    np.testing.assert_allclose(*widths, rtol=1e-9)


def test_of_one_cell_without_values_it_is_the_ratio_with_its_interval():
    sides = [Cells.of_moments(10, each.mean(axis=1), each.std(axis=1, ddof=1)) for each in (CELLS, BASE)]
    compared, found = compare(*sides), geometric_mean(*sides, np.eye(6))
    np.testing.assert_allclose(found.ratio, compared.ratio, rtol=1e-9)
    np.testing.assert_allclose(found.interval, compared.interval, rtol=1e-9)


def test_error_and_degrees_of_freedom_of_the_guides_example():
    # JCGM 100:2008, G.4.1, example: a product of three quantities known to 0.25, 0.57 and 0.82 % from 10, 5 and 15
    # values: 1.03 % with 19.0 degrees of freedom. The geometric mean is the cube root of the product.
    n, errors = np.array([10, 5, 15]), np.array([0.0025, 0.0057, 0.0082])
    cells = Cells.of_moments(n, [1.0, 2.0, 3.0], errors * np.sqrt(n) * [1.0, 2.0, 3.0])
    exact = Cells.of_moments(100, np.ones(3), np.zeros(3))
    (low,), (high,) = geometric_mean(cells, exact, [[True] * 3]).interval
    error = np.sqrt((errors**2).sum())
    degrees = error**4 / (errors**4 / (n - 1)).sum()
    assert error == pytest.approx(0.0103, abs=5e-5)
    assert degrees == pytest.approx(19.0, abs=0.05)
    expected = stats.t.interval(0.95, degrees, np.log(6) / 3, error / 3)
    np.testing.assert_allclose(np.log([low, high]), expected, rtol=1e-9)


def test_sides_exchanged_it_is_inverted():
    forward, backward = gmean_of(CELLS, BASE, [[True] * 6]), gmean_of(BASE, CELLS, [[True] * 6])
    assert forward.ratio[0] * backward.ratio[0] == pytest.approx(1, rel=1e-12)
    assert forward.interval.low[0] * backward.interval.high[0] == pytest.approx(1, rel=1e-12)


def test_a_cell_without_ratio_is_never_left_out_in_silence():
    base = BASE.copy()
    base[2] = 0.0
    found = gmean_of(CELLS, base, [[True] * 6, [True, True, False, True, True, True], [False] * 6])
    assert np.isnan(found.ratio).tolist() == [True, False, True]
    assert found.cells.tolist() == [6, 5, 0]


def test_a_cell_without_spread_leaves_the_mean_without_interval():
    cells = CELLS.copy()
    cells[1, 1:] = np.nan
    found = gmean_of(cells, BASE, [[True] * 6])
    assert np.isfinite(found.ratio).all()
    assert np.isnan(found.interval).all()


def test_valid_says_which_cells_may_count():
    barred = [None, NoVerdict.CLOCK, NoVerdict.FAILED, None, None, None]
    cells = CELLS.copy()
    cells[3] = np.nan
    cells[4, 1:] = np.nan
    comparison = compare(Cells.of_values(cells, barred=barred), Cells.of_values(BASE))
    assert comparison.valid.tolist() == [True, False, False, False, True, True]


@pytest.mark.parametrize("groups", [[True] * 6, [[True] * 5], [[[True] * 6]]])
def test_groups_of_another_shape_are_refused(groups):
    with pytest.raises(ValueError, match="do not fit 6 cells"):
        gmean_of(CELLS, BASE, groups)


def test_no_groups():
    assert gmean_of(CELLS, BASE, np.zeros((0, 6), dtype=bool)).ratio.shape == (0,)


def test_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(24)
    cvs = np.tile([0.02, 0.05, 0.1, 0.2], 2000)[:, np.newaxis]
    cells, base = (1.1 * rng.normal(1, cvs, (8000, 5)), rng.normal(1, cvs, (8000, 5)))
    groups = np.repeat(np.eye(2000, dtype=bool), 4, axis=1)
    low, high = gmean_of(cells, base, groups).interval
    assert 0.94 < ((low <= 1.1) & (high >= 1.1)).mean() < 0.965


def test_it_covers_as_often_where_all_cells_of_a_round_have_its_good_or_bad_moment():
    # As in the real A/A campaign of docs/statistics.md, cells of a round correlate by 0.2 to 0.3.
    rng = np.random.default_rng(25)

    def side():
        moments = np.repeat(rng.normal(0, 0.05, (1000, 10)), 8, axis=0)
        return np.exp(moments + rng.normal(0, 0.1, (8000, 10)))

    groups = np.repeat(np.eye(1000, dtype=bool), 8, axis=1)
    low, high = gmean_of(side(), side(), groups).interval
    assert 0.935 < ((low <= 1) & (high >= 1)).mean() < 0.965


def in_rounds(values, rounds=None, runs=1):
    """Cells whose values were measured in these blocks, by default in round 0, 1, … of one campaign."""
    blocks = np.broadcast_to(np.arange(np.shape(values)[1]) if rounds is None else rounds, np.shape(values))
    return Cells.of_values(values, blocks=blocks, runs=runs)


def test_rounds_of_both_sides_give_scipys_paired_interval():
    found = geometric_mean(in_rounds(CELLS), in_rounds(BASE), [[True] * 6])
    differences = np.log(CELLS[:, :8] / BASE).mean(axis=0)
    low, high = stats.ttest_1samp(differences, 0).confidence_interval()
    np.testing.assert_allclose(np.log(found.ratio), differences.mean(), rtol=1e-9)
    np.testing.assert_allclose(np.ravel(np.log(found.interval)), [low, high], rtol=1e-9)
    assert found.pairs.tolist() == [8]
    assert found.ratios.degrees.tolist() == [7]


def test_a_round_that_a_cell_of_either_side_lacks_is_no_pair():
    cells, base = CELLS[:, :8].copy(), BASE.copy()
    cells[2, 4], base[5, 6] = np.nan, np.nan
    found = geometric_mean(in_rounds(cells), in_rounds(base), [[True] * 6])
    whole = np.delete(np.log(CELLS[:, :8] / BASE), [4, 6], axis=1).mean(axis=0)
    assert found.pairs.tolist() == [6]
    np.testing.assert_allclose(np.log(found.ratio), whole.mean(), rtol=1e-9)


@pytest.mark.parametrize(
    ("rounds", "other"), [(np.arange(8), np.arange(100, 108)), (np.arange(8), np.full(8, -1))], ids=["other", "none"]
)
def test_rounds_of_other_campaigns_are_not_paired(rounds, other):
    found = geometric_mean(in_rounds(CELLS[:, :8], rounds), in_rounds(BASE, other), [[True] * 6])
    unpaired = gmean_of(CELLS[:, :8], BASE, [[True] * 6])
    assert found.pairs.tolist() == [0]
    np.testing.assert_allclose(found.ratios, unpaired.ratios, rtol=1e-12)


def test_four_rounds_are_too_few_for_pairs():
    assert geometric_mean(in_rounds(CELLS[:, :4]), in_rounds(BASE[:, :4]), [[True] * 6]).pairs.tolist() == [0]


def test_cells_of_several_runs_are_paired_by_campaign_if_all_cells_have_the_same():
    same = np.tile([5, 2, 8], (6, 1))
    turned = same[:, ::-1]
    cells, base = CELLS[:, :3], BASE[:, :3]
    found = geometric_mean(in_rounds(cells, same, 3), in_rounds(base[:, ::-1], turned, 3), [[True] * 6])
    differences = np.log(cells / base).mean(axis=0)
    low, high = stats.ttest_1samp(differences, 0).confidence_interval()
    np.testing.assert_allclose(np.ravel(np.log(found.interval)), [low, high], rtol=1e-9)
    assert found.pairs.tolist() == [3]
    unlike = same.copy()
    unlike[3] = [5, 2, 9]
    mixed = geometric_mean(in_rounds(cells, unlike, 3), in_rounds(base, unlike, 3), [[True] * 6, np.arange(6) != 3])
    assert mixed.pairs.tolist() == [0, 3]


def test_a_mean_rests_on_the_part_without_which_its_interval_contains_one():
    cells = np.exp(RNG.normal(0, 0.01, (6, 10)))
    cells[2:4] *= 1.2  # part 1; the others are as fast as the baseline
    base, parts = np.exp(RNG.normal(0, 0.01, (6, 10))), [0, 0, 1, 1, 2, 2]
    sides = Cells.of_values(cells), Cells.of_values(base)
    groups = [[True] * 6, [True, True, False, False, True, True], [False, False, True, True, False, False]]
    assert part_it_rests_on(*sides, groups, parts).tolist() == [1, NONE, NONE]
    everywhere = Cells.of_values(1.2 * cells)
    assert part_it_rests_on(everywhere, sides[1], groups[:1], parts).tolist() == [NONE]
    without = geometric_mean(*sides, [[True, True, False, False, True, True]])
    assert without.interval.low[0] < 1 < without.interval.high[0]


def test_a_mean_that_turns_round_without_a_part_rests_on_it():
    cells = np.exp(RNG.normal(0, 0.01, (3, 10))) * np.array([[3.0], [0.9], [0.9]])
    sides = Cells.of_values(cells), Cells.of_values(np.exp(RNG.normal(0, 0.01, (3, 10))))
    assert part_it_rests_on(*sides, [[True] * 3], [0, 1, 2]).tolist() == [0]
