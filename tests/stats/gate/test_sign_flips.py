"""The test of signs against SciPy's permutation test and its definition."""

import itertools

import numpy as np
import pytest
from scipy import stats

from benchdb.stats.gate.sign_flips import MOST_SIGNS, p_of_signs

RNG = np.random.default_rng(7)


@pytest.mark.parametrize("n", [2, 5, 8, 11])
def test_p_is_that_of_scipys_permutation_test(n: int) -> None:
    values = RNG.normal(0.3, 1, n)
    expected = stats.permutation_test((values,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    assert p_of_signs(values) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0, 2.0], [0.1, 0.2, -0.3, 0.4], [3.0, -3.0, 3.0, 0.0, 1.0]])
def test_equal_sums_count_as_far(values: list[float]) -> None:
    sums = [
        sum(sign * value for sign, value in zip(signs, values, strict=True))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]
    as_far = sum(abs(each) >= abs(sum(values)) - 1e-9 for each in sums)
    assert p_of_signs(np.array(values)) == pytest.approx(as_far / 2 ** len(values), abs=1e-12)


def test_nothing_and_no_difference_have_p_1() -> None:
    assert p_of_signs(np.array([])) == 1
    assert p_of_signs(np.zeros(6)) == 1


def test_many_differences_are_those_of_groups_of_neighbours() -> None:
    values = RNG.normal(0.2, 1, MOST_SIGNS + 8)
    groups = np.array([*values[:16].reshape(8, 2).sum(axis=1), *values[16:]])
    assert p_of_signs(values) == pytest.approx(p_of_signs(groups), rel=1e-9)


def test_p_of_a_lasting_difference_is_the_smallest_possible() -> None:
    assert p_of_signs(RNG.uniform(0.1, 0.2, 20)) == pytest.approx(2.0**-19)
