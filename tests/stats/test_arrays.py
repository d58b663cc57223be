import math

import numpy as np
import pytest

from benchdb.stats.arrays import as_column, as_matrix, divide, matrix, optional, pack


def test_rows_of_unequal_length_are_padded_with_nan():
    values = matrix([[1.0, None, 3.0], [4.0], []])
    assert values.shape == (3, 3)
    np.testing.assert_array_equal(values, [[1, np.nan, 3], [4, np.nan, np.nan], [np.nan] * 3])


def test_no_rows_are_a_matrix_too():
    assert matrix([]).shape == (0, 0)
    assert as_matrix([]).shape == (0, 0)


@pytest.mark.parametrize("wrong", [1.0, [1.0, 2.0], [[[1.0]]]])
def test_values_without_two_dimensions_are_refused(wrong):
    with pytest.raises(ValueError, match="two dimensions"):
        as_matrix(wrong)


def test_a_column_of_the_wrong_length_is_refused_by_name():
    with pytest.raises(ValueError, match="sd needs 3 numbers"):
        as_column([1.0, 2.0], 3, "sd")


def test_pack_keeps_the_order_of_what_was_measured():
    np.testing.assert_array_equal(pack(np.array([[np.nan, 3, np.nan, 1, 2]])), [[3, 1, 2, np.nan, np.nan]])


def test_division_by_zero_is_nan_and_silent():
    np.testing.assert_array_equal(divide(np.array([1.0, 0.0, 6.0]), np.array([0.0, 0.0, 3.0])), [np.nan, np.nan, 2])


def test_optional_leaves_nothing_that_json_cannot_say():
    assert optional(np.array([1.5, math.nan, math.inf, -math.inf])) == [1.5, None, None, None]
