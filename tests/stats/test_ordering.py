import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchdb.stats.ordering import order_statistic, quantile, sort_rows, tie_sizes
from tests.stats.strategies import measurements


@given(measurements(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]))
def test_quantiles_agree_with_numpy(values, fraction):
    n = np.full(len(values), values.shape[1])
    found = quantile(sort_rows(values), n, fraction)
    np.testing.assert_allclose(found, np.quantile(values, fraction, axis=1), rtol=1e-9)


def test_quantiles_leave_nan_out():
    values = np.array([[4.0, np.nan, 1.0, 3.0], [np.nan] * 4])
    np.testing.assert_array_equal(quantile(sort_rows(values), np.array([3, 0]), 0.5), [3.0, np.nan])


def test_an_order_statistic_outside_the_row_is_nan():
    ordered = np.array([[1.0, 2.0]])
    assert np.isnan(order_statistic(ordered, np.array([-1]))).all()
    assert np.isnan(order_statistic(ordered, np.array([2]))).all()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=15))
def test_tie_sizes_count_equal_values(row):
    ordered = np.sort(np.array([row], dtype=float))
    assert tie_sizes(ordered)[0].tolist() == [row.count(int(value)) for value in ordered[0]]


def test_nan_ties_with_nothing():
    assert tie_sizes(np.array([[1.0, 1.0, np.nan, np.nan]])).tolist() == [[2, 2, 1, 1]]


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (2, 0)])
def test_empty_arrays(shape):
    ordered = sort_rows(np.zeros(shape))
    assert tie_sizes(ordered).shape == shape
    assert np.isnan(quantile(ordered, np.zeros(shape[0], dtype=np.int64), 0.5)).all()


def test_ranks_reference_is_scipys():
    """tie_sizes gives the same tie correction as scipy.stats.tiecorrect."""
    row = np.array([1.0, 1, 2, 3, 3, 3, 4])
    sizes = tie_sizes(np.sort(row)[np.newaxis])[0]
    correction = 1 - ((sizes**2 - 1).sum()) / (len(row) ** 3 - len(row))
    assert correction == pytest.approx(stats.tiecorrect(stats.rankdata(row)), abs=1e-12)
