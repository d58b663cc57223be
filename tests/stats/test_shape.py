"""What is said of a surface's shape: true steps and lines, and hardly ever one that is not there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.stats.shape import LEAST, LineRatio, shape

ROWS, COLUMNS, SURFACES = 9, 11, 400


def surface(seed: int, rounds: int, cv: float = 0.1, common: float = 0.0) -> np.ndarray:
    """A flat surface with noise of each cell, and noise that all cells of a row have in common in each round."""
    random = np.random.default_rng(seed)
    own = random.normal(0, cv, (ROWS, COLUMNS, rounds))
    return np.exp(own + random.normal(0, common, (ROWS, 1, rounds))) * 1e8


def wrong(rounds: int, factor: float, common: float) -> float:
    """How often a step by exactly the least factor is said to be larger: the hardest case of no statement."""
    found = 0
    for seed in range(SURFACES):
        values = surface(seed, rounds, common=common)
        values[5:] *= factor
        found += bool(shape(values))
    return found / SURFACES


@pytest.mark.parametrize(("rounds", "common"), [(1, 0.0), (2, 0.0), (3, 0.1), (6, 0.1)])
def test_a_step_that_is_no_larger_than_the_least_is_rarely_stated(rounds: int, common: float) -> None:
    """Binomial(400, 5 %): above 30 in one of a thousand."""
    assert wrong(rounds, 1.0, common) == 0
    assert wrong(rounds, LEAST, common) <= 30 / SURFACES
    assert wrong(rounds, 1 / LEAST, common) <= 30 / SURFACES


@pytest.mark.parametrize("rounds", [1, 5])
def test_the_end_of_the_cache_and_outlying_lines_are_found(rounds: int) -> None:
    found = []
    for seed in range(100):
        values = surface(seed, rounds)
        values[6:] /= 8
        values[2] /= 3
        values[:, 4] *= 7
        found.append([(each.axis, each.line, each.outlying) for each in shape(values)])
        for each, true in zip(shape(values), (1 / 8, 1 / 3, 7), strict=True):
            assert each.low < each.ratio < each.high
            assert each.ratio == pytest.approx(true, rel=0.3)
    assert found == [[(0, 6, False), (0, 2, True), (1, 4, True)]] * 100


def test_the_line_beyond_a_step_is_not_outlying_and_two_places_are_not_enough() -> None:
    values = surface(0, 1)
    values[4:] /= 8
    assert [each[:3] for each in shape(values)] == [(0, 4, False)]
    values[3, 2:] = np.nan
    assert shape(values) == []
    assert shape(values[:, :1]) == shape(values[:1]) == shape(np.full((2, 2, 1), np.nan)) == []


@given(st.floats(1e-9, 1e9), st.integers(0, 50))
def test_units_and_directions_do_not_matter(factor: float, seed: int) -> None:
    values = surface(seed, 6)
    values[5:] /= 4
    (step,) = shape(values * factor)
    (upwards,) = shape(1 / values)
    assert step == pytest.approx(shape(values)[0])
    assert upwards == pytest.approx(LineRatio(0, 5, False, 1 / step.ratio, 1 / step.high, 1 / step.low, COLUMNS))
