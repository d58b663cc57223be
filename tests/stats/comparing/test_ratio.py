import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.comparing.cells import Cells
from benchdb.stats.comparing.ratio import Side, ratio_of_means, ratios_of
from tests.stats.strategies import measurements

PUBLISHED = st.tuples(st.integers(2, 40), st.floats(1e-3, 1e9), st.floats(1e-4, 0.5))


def cells(n, mean, cv):
    return Cells.of_moments([n], [mean], [mean * cv])


def test_it_is_the_ratio_of_the_figure_itself():
    assert ratios_of(cells(10, 5.0, 0.01), cells(10, 10.0, 0.01)).value()[0] == pytest.approx(0.5)
    assert ratios_of(cells(10, 10.0, 0.01), cells(10, 5.0, 0.01)).value()[0] == pytest.approx(2.0)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_from_values_it_is_the_ratio_of_geometric_means_with_welchs_interval(confidence):
    rng = np.random.default_rng(31)
    first, second = rng.lognormal(0.1, 0.4, (20, 7)), rng.lognormal(0, 0.1, (20, 12))
    ratio = ratios_of(Cells.of_values(first), Cells.of_values(second))
    reference = stats.ttest_ind(np.log(first), np.log(second), axis=1, equal_var=False)
    np.testing.assert_allclose(ratio.value(), stats.gmean(first, axis=1) / stats.gmean(second, axis=1), rtol=1e-9)
    np.testing.assert_allclose(ratio.interval(confidence), np.exp(reference.confidence_interval(confidence)), rtol=1e-9)
    np.testing.assert_allclose(ratio.p(), reference.pvalue, rtol=1e-9)


@pytest.mark.parametrize("odd", [0.0, -3.0])
def test_with_a_value_that_has_no_logarithm_it_is_the_ratio_of_arithmetic_means(odd):
    values = [odd, 101.0, 99.0, 100.0]
    found = ratios_of(Cells.of_values([values]), Cells.of_values([[50.0, 51.0, 49.0]]))
    assert found.value()[0] == pytest.approx(np.mean(values) / 50)
    assert found.error[0] == pytest.approx(np.hypot(stats.variation(values, ddof=1) / 2, 0.02 / np.sqrt(3)), rel=1e-9)


def test_the_ratio_of_arithmetic_means_stays_available():
    first, second = ([1.0, 2.0, 9.0], [2.0, 3.0, 4.0])
    found = ratio_of_means(*(Side.of(Cells.of_values([side])) for side in (first, second)))
    assert found[0] == pytest.approx(np.mean(first) / np.mean(second), rel=1e-12)


@given(PUBLISHED, PUBLISHED, st.sampled_from([0.9, 0.95]))
def test_welchs_test_against_the_end_of_the_interval_gives_its_level(first, second, confidence):
    """The interval inverts Welch's test on the logarithms, with the cv as their standard deviation."""
    interval = ratios_of(cells(*first), cells(*second)).interval(confidence)
    for end in interval:
        shifted = np.log(first[1]) - np.log(second[1]) - np.log(end[0])
        reference = stats.ttest_ind_from_stats(shifted, first[2], first[0], 0.0, second[2], second[0], equal_var=False)
        assert reference.pvalue == pytest.approx(1 - confidence, rel=1e-6)


@pytest.mark.parametrize("confidence", [0.9, 0.95])
@pytest.mark.parametrize(("n", "cv"), [((10, 10), (0.01, 0.03)), ((3, 25), (0.4, 0.002)), ((2, 2), (0.1, 0.1))])
def test_interval_and_p_from_moments_agree_with_scipys_of_a_difference_of_logarithms(n, cv, confidence):
    """Samples with exactly the mean ln m and the standard deviation cv: their Welch interval is that of ln ratio."""
    samples = []
    for size, spread, mean in zip(n, cv, (109339.9, 72938.1), strict=True):
        shape = np.linspace(-1, 1, size)
        samples.append(np.log(mean) + spread * shape / shape.std(ddof=1))
    reference = stats.ttest_ind(*samples, equal_var=False)
    ratio = ratios_of(cells(n[0], 109339.9, cv[0]), cells(n[1], 72938.1, cv[1]))
    expected = np.exp(reference.confidence_interval(confidence))
    np.testing.assert_allclose(np.ravel(ratio.interval(confidence)), expected, rtol=1e-9)
    assert ratio.value()[0] == pytest.approx(109339.9 / 72938.1, rel=1e-9)
    assert ratio.p()[0] == pytest.approx(reference.pvalue, rel=1e-9)


@given(PUBLISHED, PUBLISHED)
def test_sides_exchanged_the_interval_is_inverted(first, second):
    forward = ratios_of(cells(*first), cells(*second))
    backward = ratios_of(cells(*second), cells(*first))
    assert forward.value()[0] == pytest.approx(1 / backward.value()[0], rel=1e-9)
    assert forward.p()[0] == pytest.approx(backward.p()[0], rel=1e-9)
    low, high = forward.interval(0.95)
    inverted_low, inverted_high = backward.interval(0.95)
    assert low[0] * inverted_high[0] == pytest.approx(1, rel=1e-9)
    assert high[0] * inverted_low[0] == pytest.approx(1, rel=1e-9)


@given(measurements())
def test_the_interval_contains_the_ratio_and_nests(values):
    ratio = ratios_of(Cells.of_values(values), Cells.of_values(values[::-1]))
    wide, narrow = ratio.interval(0.95), ratio.interval(0.9)
    exists = ~np.isnan(wide.low)
    for outer, inner in (
        (wide.low, narrow.low),
        (narrow.low, ratio.value()),
        (ratio.value(), narrow.high),
        (narrow.high, wide.high),
    ):
        assert (outer[exists] <= inner[exists] * (1 + 1e-12)).all()


@given(measurements())
def test_p_is_below_the_level_if_and_only_if_one_is_outside_the_interval(values):
    ratio = ratios_of(Cells.of_values(values), Cells.of_values(values[::-1]))
    p, (low, high) = ratio.p(), ratio.interval(0.95)
    decided = ~np.isnan(p) & (np.abs(p - 0.05) > 1e-9)
    np.testing.assert_array_equal((p < 0.05)[decided], ((low > 1) | (high < 1))[decided])


@pytest.mark.parametrize(("first", "second"), [(0.0, 5.0), (5.0, 0.0), (-5.0, 5.0), (np.nan, 5.0)])
def test_no_ratio_where_a_mean_is_not_positive(first, second):
    ratio = ratios_of(*(Cells.of_moments([10], [mean], [1.0]) for mean in (first, second)))
    assert np.isnan(ratio.value()).all()
    assert np.isnan(ratio.p()).all()


def test_no_interval_from_single_values():
    found = ratios_of(Cells.of_values([[5.0]]), Cells.of_values([[4.0]]))
    assert found.value()[0] == pytest.approx(1.25)
    assert np.isnan(found.interval(0.95)).all()


def test_an_absurd_published_spread_has_a_positive_and_finite_interval():
    low, high = ratios_of(cells(2, 1.0, 1e6), cells(2, 1.0, 1e6)).interval(0.95)
    assert (low[0], high[0]) == (pytest.approx(1e-60, rel=0.2), pytest.approx(1e60, rel=0.2))


def test_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(9)
    faster, base = rng.lognormal(np.log(1.1), 0.1, (4000, 10)), rng.lognormal(0, 0.05, (4000, 10))
    low, high = ratios_of(Cells.of_values(faster), Cells.of_values(base)).interval(0.95)
    assert 0.94 < ((low <= 1.1) & (high >= 1.1)).mean() < 0.96
