import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.stats.ordering import sort_rows
from benchdb.stats.summary.outliers import tukey_outliers
from tests.stats.strategies import measurements


def flags(values):
    values = np.array(values, dtype=float)
    return tukey_outliers(values, sort_rows(values), (~np.isnan(values)).sum(axis=1))


def test_fences_agree_with_numpys_quartiles():
    values = np.random.default_rng(5).standard_cauchy((40, 11))
    first, third = np.quantile(values, [0.25, 0.75], axis=1, keepdims=True)
    for fence, flagged in zip((1.5, 3.0), flags(values), strict=True):
        reach = fence * (third - first)
        np.testing.assert_array_equal(flagged, (values < first - reach) | (values > third + reach))
        assert flagged.any()


def test_an_outlier_is_flagged_in_its_own_round():
    outside, far = flags([[10, 11, 10, 99, 11, np.nan, 10]])
    assert outside.tolist() == far.tolist() == [[False, False, False, True, False, False, False]]


@pytest.mark.parametrize(("last", "outside", "far"), [(7, False, False), (7.1, True, False), (10, True, False)])
def test_the_fences_themselves_are_inside(last, outside, far):
    # With quartiles 2 and 4, the inner fence is at 7 and the outer one at 10.
    found = flags([[1, 2, 3, 4, last]])
    assert (found.outside[0, 4], found.far[0, 4]) == (outside, far)


def test_beyond_the_outer_fence_is_far():
    assert flags([[1, 2, 3, 4, 10.1]]).far.tolist() == [[False] * 4 + [True]]


@pytest.mark.parametrize("row", [[0, 0, 0, 1e9], [1, 1], [5], [np.nan] * 4])
def test_fewer_than_five_values_have_no_outliers(row):
    assert not flags([row]).outside.any()


def test_equal_values_have_no_outliers():
    assert not flags([[0.1] * 10]).outside.any()


@given(measurements(), st.randoms(use_true_random=False))
def test_flags_follow_their_values_when_rounds_change_places(values, random):
    order = list(range(values.shape[1]))
    random.shuffle(order)
    np.testing.assert_array_equal(flags(values).outside[:, order], flags(values[:, order]).outside)


def test_normal_samples_meet_the_rates_in_the_documentation():
    outside, far = flags(np.random.default_rng(6).standard_normal((4000, 10)))
    assert 0.25 < outside.any(axis=1).mean() < 0.31
    assert 0.035 < far.any(axis=1).mean() < 0.06
