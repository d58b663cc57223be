import json
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

from benchdb.stats import STATISTICS_VERSION, matrix, summarise, summarise_moments
from tests.stats.strategies import anything, measurements

THROUGHPUT = [
    [109339.9, 109710.5, 108969.3, 109500.1, 109300.2, 109100.7, 109420.6, 109250.3, 109390.8, 109410.4],
    [62220.0, 62318.1, 62121.9, 62250.0, np.nan, 62190.0, 62300.2, 62150.5, 62240.9, 62199.9],
    [46.97, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan],
]


def test_one_row_a_result_with_every_figure():
    first, second, third = summarise(THROUGHPUT).rows()
    assert (first.n, second.n, third.n) == (10, 9, 1)
    assert first.mean == pytest.approx(np.mean(THROUGHPUT[0]), rel=1e-12)
    assert first.sd == pytest.approx(np.std(THROUGHPUT[0], ddof=1), rel=1e-12)
    assert first.cv == pytest.approx(first.sd / first.mean, rel=1e-12)
    assert (first.median, first.minimum, first.maximum) == (np.median(THROUGHPUT[0]), 108969.3, 109710.5)
    reference = stats.ttest_1samp(THROUGHPUT[0], 0).confidence_interval()
    assert (first.mean_low, first.mean_high) == pytest.approx(tuple(reference), rel=1e-12)
    assert (first.median_low, first.median_high) == (109100.7, 109500.1)
    assert second.drift_p == pytest.approx(
        stats.kendalltau(np.delete(np.arange(10), 4), np.delete(THROUGHPUT[1], 4)).pvalue, rel=1e-9
    )
    assert (third.mean, third.median) == (46.97, 46.97)
    assert third.sd is third.mean_low is third.drift_tau is third.autocorrelation is None


def test_columns_and_rows_say_the_same():
    summaries = summarise(THROUGHPUT)
    assert (len(summaries), summaries.version) == (3, STATISTICS_VERSION)
    np.testing.assert_array_equal(summaries.mean, [row.mean for row in summaries.rows()])
    assert summaries.outliers.shape == (3, 10)


@pytest.mark.parametrize("values", [[], np.zeros((0, 0)), np.zeros((0, 7))])
def test_no_results_give_no_rows(values):
    assert list(summarise(values).rows()) == []


def test_results_without_rounds_have_no_figures():
    (row,) = summarise(np.zeros((1, 0))).rows()
    assert row.n == 0
    assert row.mean is row.median is row.minimum is None


def test_infinite_values_take_no_part():
    row, without = summarise([[1.0, np.inf, 2.0, -np.inf, 1e100, 6.0], [1.0, 2.0, 6.0, np.nan, np.nan, np.nan]]).rows()
    assert (row.n, row.mean, row.sd, row.maximum) == (without.n, without.mean, without.sd, without.maximum)


def test_a_vector_is_refused():
    with pytest.raises(ValueError, match="two dimensions"):
        summarise([1.0, 2.0])


@given(anything())
def test_any_floats_give_rows_that_json_can_hold(values):
    rows = list(summarise(values).rows())
    assert len(rows) == len(values)
    for row in rows:
        plain = {**asdict(row), "warnings": [warning.as_dict() for warning in row.warnings]}
        json.dumps(plain, allow_nan=False)


@given(measurements())
def test_the_figures_of_a_row_keep_their_order(values):
    summaries = summarise(values)
    assert (summaries.minimum <= summaries.median).all()
    assert (summaries.median <= summaries.maximum).all()
    assert (summaries.minimum <= summaries.mean).all()
    assert (summaries.mean <= summaries.maximum).all()


@given(measurements())
def test_a_row_does_not_depend_on_its_neighbours(values):
    assert list(summarise(values).rows()) == [next(summarise(row[np.newaxis]).rows()) for row in values]


def test_rows_of_unequal_length_keep_their_own_n():
    rows = [[1.0, 2.0, 3.0], [4.0], [5.0, None]]
    assert summarise(matrix(rows), [3, 1, 2]).n.tolist() == [3, 1, 1]


def test_published_figures_get_cv_and_interval():
    (row,) = summarise_moments([10], [109339.90], [370.61]).rows()
    half = stats.t.ppf(0.975, 9) * 370.61 / np.sqrt(10)
    assert (row.mean_low, row.mean_high) == pytest.approx((109339.90 - half, 109339.90 + half), rel=1e-12)
    assert row.cv == pytest.approx(370.61 / 109339.90)
    assert row.median is row.minimum is row.drift_p is None
    assert row.warnings == ()


def test_published_figures_without_n_or_sd_get_no_interval():
    unknown_n, no_sd, one = summarise_moments([0, 10, 1], [5.0, 5.0, 5.0], [1.0, np.nan, 0.0]).rows()
    assert unknown_n.sd == 1.0
    assert unknown_n.mean_low is no_sd.mean_low is one.mean_low is one.sd is None


def test_published_columns_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="sd needs 2 numbers"):
        summarise_moments([10, 10], [1.0, 2.0], [0.1])
