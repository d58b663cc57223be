"""The effect of the position in a round, compared with least squares over all points and rounds."""

import numpy as np
import pytest
from scipy import stats

from benchagent.plan.rotation import order_of
from benchdb.stats.trust.position import position_effect


def rotated(points: int, rounds: int) -> np.ndarray:
    """The positions of points in rotated rounds."""
    return np.array([[order_of(points, number).index(point) for number in range(rounds)] for point in range(points)])


def noisy(points: int, rounds: int, effect: float = 0.0, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positions = rotated(points, rounds)
    logs = rng.normal(0, 0.03, positions.shape) + rng.normal(0, 1, (points, 1)) + rng.normal(0, 0.2, rounds)
    return np.exp(logs + effect * positions), positions


def test_one_cell_a_point_is_least_squares_with_points_and_rounds() -> None:
    values, positions = noisy(4, 10, -0.01)
    found = position_effect(values, np.arange(4), positions)
    assert found is not None
    point, number = (index.ravel() for index in np.indices(positions.shape))
    design = np.column_stack([positions.ravel(), np.eye(4)[point], np.eye(10)[number][:, 1:]])
    fitted, *_ = np.linalg.lstsq(design, np.log(values).ravel(), rcond=None)
    rest = np.log(values).ravel() - design @ fitted
    degrees = 40 - design.shape[1]
    error = np.sqrt(rest @ rest / degrees * np.linalg.inv(design.T @ design)[0, 0])
    assert found.change == pytest.approx(np.expm1(fitted[0]), rel=1e-9)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(fitted[0] / error), degrees), rel=1e-9)
    half = stats.t.ppf(0.975, degrees) * error
    assert (found.low, found.high) == pytest.approx(tuple(np.expm1([fitted[0] - half, fitted[0] + half])), rel=1e-9)


def test_cells_of_a_point_are_averaged_by_their_precision() -> None:
    values, positions = noisy(3, 8)
    wild = np.exp(np.random.default_rng(2).normal(0, 0.5, (3, 8)))
    both = position_effect(np.concatenate([values, wild]), [0, 1, 2, 0, 1, 2], positions)
    weights = 1 / np.stack([np.log(each).var(axis=1, ddof=1) for each in (values, wild)])
    mean = (weights[:, :, np.newaxis] * np.log([values, wild])).sum(axis=0) / weights.sum(axis=0)[:, np.newaxis]
    assert both == pytest.approx(position_effect(np.exp(mean), np.arange(3), positions), rel=1e-9)


def test_only_the_ranks_of_the_positions_and_relative_values_matter() -> None:
    values, positions = noisy(4, 9)
    found = position_effect(values, np.arange(4), positions)
    scaled = position_effect(values * np.array([[1], [10], [100], [7]]), np.arange(4), 20 * positions + np.arange(9))
    assert found == pytest.approx(scaled, rel=1e-9)


def test_rounds_that_a_cell_lacks_do_not_count() -> None:
    values, positions = noisy(4, 9)
    lacking = values.copy()
    lacking[1, 3], lacking[2, 5] = np.nan, 0
    left = [0, 1, 2, 4, 6, 7, 8]
    assert position_effect(lacking, range(4), positions) == position_effect(
        values[:, left], range(4), positions[:, left]
    )


@pytest.mark.parametrize(
    ("values", "positions"),
    [
        (noisy(4, 3)[0], rotated(4, 3)),
        (noisy(1, 9)[0], rotated(1, 9)),
        (noisy(4, 9)[0], np.tile(np.arange(4)[:, np.newaxis], 9)),
        (np.ones((4, 9)), rotated(4, 9)),
        (np.full((4, 9), np.nan), rotated(4, 9)),
    ],
    ids=["three rounds", "one point", "one order", "no variation", "no values"],
)
def test_without_enough_the_effect_is_unknown(values: np.ndarray, positions: np.ndarray) -> None:
    assert position_effect(values, np.arange(len(values)), positions) is None
