import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from benchdb.stats.comparing.cells import Cells
from benchdb.stats.comparing.mann_whitney import can_reach, mann_whitney


def p_of(first, second):
    return mann_whitney(Cells.of_values(first), Cells.of_values(second))


def test_textbook_example_with_its_exact_p():
    # Ages at diagnosis of diabetes (Hollander and Wolfe's example as SciPy's documentation has it): U = 17, p = 1/9.
    assert p_of([[19, 22, 16, 29, 24]], [[20, 11, 17, 12]])[0] == pytest.approx(1 / 9, rel=1e-9)


def test_every_cell_is_tested_as_scipy_tests_it_alone():
    rng = np.random.default_rng(10)
    first, second = rng.normal(0, 1, (40, 12)), rng.normal(0.5, 1, (40, 25))
    first[::3, 5:] = np.nan
    second[::4, 2:9] = np.nan
    second[1::4, 20:] = np.nan
    first[5], second[5] = np.round(first[5]), np.round(second[5])
    for a, b, p in zip(first, second, p_of(first, second), strict=True):
        a, b = a[~np.isnan(a)], b[~np.isnan(b)]
        tied = len(np.unique([*a, *b])) < len(a) + len(b)
        method = "asymptotic" if tied or len(b) > 20 else "exact"
        assert p == pytest.approx(stats.mannwhitneyu(a, b, method=method).pvalue, rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 5, 19, 20])
@pytest.mark.parametrize("m", [1, 3, 20])
def test_every_exact_p_of_a_shape_is_scipys(n, m):
    values = np.random.default_rng(n * m).normal(size=(30, n + m))
    values[0].sort()  # the smallest U of all
    first, second = values[:, :n], values[:, n:]
    expected = stats.mannwhitneyu(first, second, axis=1, method="exact").pvalue
    np.testing.assert_allclose(p_of(first, second), expected, rtol=1e-12)


SMALL = hnp.arrays(np.float64, (3, 5), elements=st.integers(0, 6).map(float))


@given(SMALL, SMALL)
def test_sides_exchanged_p_stays(first, second):
    np.testing.assert_allclose(p_of(first, second), p_of(second, first), rtol=1e-12)


@pytest.mark.parametrize(
    ("first", "second"), [([[1.0, 1.0]], [[1.0, 1.0]]), ([[np.nan]], [[1.0]]), (np.zeros((1, 0)), [[1.0]])]
)
def test_nothing_to_test(first, second):
    assert np.isnan(p_of(first, second)).all()


def test_three_against_three_can_never_reach_five_percent():
    assert can_reach(0.05, np.array([3, 4]), np.array([3, 4])).tolist() == [False, True]
    assert p_of([[1.0, 2, 3]], [[4.0, 5, 6]])[0] == pytest.approx(0.1)
