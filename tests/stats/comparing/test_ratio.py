import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.comparing.cells import Cells
from benchdb.stats.comparing.ratio import ratio_of_means
from tests.stats.strategies import measurements

UP, DOWN = np.array([True]), np.array([False])

PUBLISHED = st.tuples(st.integers(2, 40), st.floats(1e-3, 1e9), st.floats(1e-4, 0.5))


def cells(n, mean, cv):
    return Cells.of_moments([n], [mean], [mean * cv])


def test_times_are_inverted_so_that_above_one_is_better():
    fast, slow = cells(10, 5.0, 0.01), cells(10, 10.0, 0.01)
    assert ratio_of_means(fast, slow, DOWN).value()[0] == pytest.approx(2.0)
    assert ratio_of_means(fast, slow, UP).value()[0] == pytest.approx(0.5)


@given(PUBLISHED, PUBLISHED, st.sampled_from([0.9, 0.95]))
def test_welchs_test_against_the_end_of_the_interval_gives_its_level(first, second, confidence):
    """The interval inverts Welch's test on the logarithms, with the cv as their standard deviation."""
    interval = ratio_of_means(cells(*first), cells(*second), UP).interval(confidence)
    for end in interval:
        shifted = np.log(first[1]) - np.log(second[1]) - np.log(end[0])
        reference = stats.ttest_ind_from_stats(shifted, first[2], first[0], 0.0, second[2], second[0], equal_var=False)
        assert reference.pvalue == pytest.approx(1 - confidence, rel=1e-6)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize(("n", "cv"), [((10, 10), (0.01, 0.03)), ((3, 25), (0.4, 0.002)), ((2, 2), (0.1, 0.1))])
def test_interval_agrees_with_scipys_of_a_difference_of_logarithms(n, cv, confidence):
    """Samples with exactly the mean ln m and the standard deviation cv: their Welch interval is that of ln ratio."""
    samples = []
    for size, spread, mean in zip(n, cv, (109339.9, 72938.1), strict=True):
        shape = np.linspace(-1, 1, size)
        samples.append(np.log(mean) + spread * shape / shape.std(ddof=1))
    reference = stats.ttest_ind(*samples, equal_var=False).confidence_interval(confidence)
    ratio = ratio_of_means(cells(n[0], 109339.9, cv[0]), cells(n[1], 72938.1, cv[1]), UP)
    np.testing.assert_allclose(np.ravel(ratio.interval(confidence)), np.exp(reference), rtol=1e-9)
    assert ratio.value()[0] == pytest.approx(109339.9 / 72938.1, rel=1e-9)


@given(PUBLISHED, PUBLISHED)
def test_sides_exchanged_the_interval_is_inverted(first, second):
    forward = ratio_of_means(cells(*first), cells(*second), UP)
    backward = ratio_of_means(cells(*second), cells(*first), UP)
    assert forward.value()[0] == pytest.approx(1 / backward.value()[0], rel=1e-9)
    low, high = forward.interval(0.95)
    inverted_low, inverted_high = backward.interval(0.95)
    assert low[0] * inverted_high[0] == pytest.approx(1, rel=1e-9)
    assert high[0] * inverted_low[0] == pytest.approx(1, rel=1e-9)


@given(measurements())
def test_the_interval_contains_the_ratio_and_nests(values):
    ratio = ratio_of_means(Cells.of_values(values), Cells.of_values(values[::-1]), np.full(len(values), True))
    wide, narrow = ratio.interval(0.95), ratio.interval(0.9)
    exists = ~np.isnan(wide.low)
    for outer, inner in (
        (wide.low, narrow.low),
        (narrow.low, ratio.value()),
        (ratio.value(), narrow.high),
        (narrow.high, wide.high),
    ):
        assert (outer[exists] <= inner[exists] * (1 + 1e-12)).all()


@pytest.mark.parametrize(("first", "second"), [(0.0, 5.0), (5.0, 0.0), (-5.0, 5.0), (np.nan, 5.0)])
def test_no_ratio_where_a_mean_is_not_positive(first, second):
    sides = [Cells.of_moments([10], [mean], [1.0]) for mean in (first, second)]
    assert np.isnan(ratio_of_means(*sides, UP).value()).all()


def test_no_interval_from_single_values():
    found = ratio_of_means(Cells.of_values([[5.0]]), Cells.of_values([[4.0]]), UP)
    assert found.value()[0] == pytest.approx(1.25)
    assert np.isnan(found.interval(0.95)).all()


def test_an_absurd_published_spread_does_not_overflow():
    low, high = ratio_of_means(cells(2, 1.0, 1e6), cells(2, 1.0, 1e6), UP).interval(0.95)
    assert (low[0], high[0]) == (0.0, np.inf)


def test_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(9)
    faster, base = rng.normal(110, 11, (4000, 10)), rng.normal(100, 5, (4000, 10))
    ratio = ratio_of_means(Cells.of_values(faster), Cells.of_values(base), np.full(4000, True))
    low, high = ratio.interval(0.95)
    assert 0.94 < ((low <= 1.1) & (high >= 1.1)).mean() < 0.96
