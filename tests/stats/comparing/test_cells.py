import numpy as np
import pytest
from hypothesis import given

from benchdb.stats import CacheVerdict, Cells, NoVerdict
from tests.stats.strategies import anything


def test_moments_come_from_the_values():
    cells = Cells.of_values([[1.0, 2.0, np.nan], [4.0, np.inf, 6.0]])
    assert cells.n.tolist() == [2, 2]
    assert cells.mean.tolist() == [1.5, 5.0]
    assert cells.has_values.all()


def test_measured_and_published_cells_stand_side_by_side():
    cells = Cells.of_moments([3, 10], [2.0, 5.0], [1.0, 0.5], values=[[1.0, 2.0, 3.0], [np.nan] * 3])
    assert cells.has_values.tolist() == [True, False]
    assert cells.all_positive.tolist() == [True, False]
    assert np.isnan(cells.log_moments.mean).tolist() == [False, True]


def test_one_value_at_zero_leaves_no_logarithms():
    cells = Cells.of_values([[1.0, 0.0, 2.0]])
    assert not cells.all_positive.any()
    assert np.isnan(cells.log_moments.mean).all()


def test_take_keeps_everything_of_a_cell_together():
    columns = {"barred": [None, NoVerdict.CLOCK], "runs": [1, 2], "cache": [CacheVerdict.DEVICE, CacheVerdict.MIXED]}
    cells = Cells.of_values([[1.0, 2.0], [3.0, 4.0]], **columns).take([1, 1, 0])
    assert cells.mean.tolist() == [3.5, 3.5, 1.5]
    assert cells.barred == (NoVerdict.CLOCK, NoVerdict.CLOCK, None)
    assert cells.runs.tolist() == [2, 2, 1]
    assert cells.cache == (CacheVerdict.MIXED, CacheVerdict.MIXED, CacheVerdict.DEVICE)


@given(anything())
def test_what_was_worked_out_before_is_what_the_taken_cells_have_themselves(values):
    places = [*range(len(values)), *reversed(range(len(values)))]
    taken, alone = Cells.of_values(values).take(places), Cells.of_values(values[places])
    assert taken.reasons == alone.reasons
    np.testing.assert_array_equal(taken.logarithms, alone.logarithms)
    for one, other in zip(taken.log_moments, alone.log_moments, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_first_reason_in_order_is_given():
    cells = Cells.of_moments(
        [10, 10, 0, 0, 1, 10, 10, 10],
        [1.0, np.nan, np.nan, 5.0, 5.0, 5.0, -5.0, 5.0],
        [1.0, np.nan, np.nan, 1.0, np.nan, np.nan, 1.0, 1.0],
        barred=[NoVerdict.CLOCK, NoVerdict.FAILED, *[None] * 6],
    )
    assert cells.reasons == (
        NoVerdict.CLOCK,
        NoVerdict.FAILED,
        NoVerdict.NOT_MEASURED,
        NoVerdict.N_UNKNOWN,
        NoVerdict.TOO_FEW_VALUES,
        NoVerdict.NO_SD,
        NoVerdict.NOT_POSITIVE,
        None,
    )


@given(anything())
def test_any_floats_make_cells(values):
    cells = Cells.of_values(values)
    assert len(cells) == len(values) == len(cells.reasons)
    assert (cells.log_moments.n[cells.all_positive] == cells.n[cells.all_positive]).all()


@pytest.mark.parametrize(
    "columns",
    [
        {"n": [1, 2], "mean": [1.0], "sd": [1.0]},
        {"n": 5, "mean": [1.0, 2.0], "sd": 1.0, "values": [[1.0, 2.0]]},
        {"n": 5, "mean": [1.0, 2.0], "sd": 1.0, "barred": [None]},
        {"n": 5, "mean": [1.0, 2.0], "sd": 1.0, "cache": [CacheVerdict.DEVICE]},
    ],
)
def test_columns_that_do_not_fit_are_refused(columns):
    with pytest.raises(ValueError, match=r"needs 1 numbers|2 cells"):
        Cells.of_moments(**columns)
