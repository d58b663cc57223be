"""Whether values depend on the position at which a round measured them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import FloatArray, IntArray, as_matrix, usable
from benchdb.stats.intervals import t_quantile
from benchdb.stats.welch import two_sided_p

FEWEST_ROUNDS = 4
POSITION_LEVEL = 0.01


class PositionEffect(NamedTuple):
    """The relative change of a value from one position to the next, its 95 % interval, and p of no effect."""

    change: float
    low: float
    high: float
    p: float


def position_effect(values: npt.ArrayLike, points: npt.ArrayLike, positions: npt.ArrayLike) -> PositionEffect | None:
    """The effect of the position within a round on all cells together; None if it cannot be known.

    `values` is (C, R), a row a cell; `points` (C,) are the indices of the cells' points in `positions` (P, R), the
    order of the points' measurements. Only rounds in which every cell has a value above 0 count. The logarithms of the
    cells of a point are averaged, with the inverses of their variances as weights, because the cells of a visit share
    its moment. The slope on the rank of the point in the round is that of a two-way layout of points and rounds, by
    least squares (Jones and Kenward 2014): neither points nor rounds need be alike. It cannot be known if every
    round has the same order, or with fewer than two points or four rounds.
    """
    measured, indices = as_matrix(values), np.asarray(points, dtype=np.int64)
    whole = (usable(measured) & (measured > 0)).all(axis=0)
    if whole.sum() < FEWEST_ROUNDS:
        return None
    means, ranks = _of_points(np.log(measured[:, whole]), indices, as_matrix(positions)[:, whole])
    x, y = _within(ranks), _within(means)
    squares, degrees = float((x**2).sum()), (x.shape[0] - 1) * (x.shape[1] - 1) - 1
    if squares <= 1e-9 or degrees < 1:
        return None
    slope = float((x * y).sum()) / squares
    error = np.sqrt(max(float((y**2).sum()) - slope**2 * squares, 0.0) / degrees / squares)
    if error <= 0:
        return None
    of_t = np.array(float(degrees))
    half = float(t_quantile(of_t, 0.975)) * error
    p = float(two_sided_p(np.array(slope / error), of_t))
    change, low, high = np.expm1([slope, slope - half, slope + half]).tolist()
    return PositionEffect(change, low, high, p)


def _of_points(logs: FloatArray, indices: IntArray, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The weighted mean of each point with a cell that varies, and its rank in each round, both (P, R)."""
    variances = logs.var(axis=1, ddof=1)
    varies = variances > 0
    weights = np.where(varies, 1 / np.where(varies, variances, 1.0), 0.0)
    total = np.bincount(indices, weights, minlength=len(positions))
    sums = np.zeros(positions.shape)
    np.add.at(sums, indices, weights[:, np.newaxis] * logs)
    used = total > 0
    ranks = positions[used].argsort(axis=0).argsort(axis=0)
    return sums[used] / total[used, np.newaxis], ranks.astype(np.float64)


def _within(table: FloatArray) -> FloatArray:
    """What the means of rows and columns leave."""
    if not table.size:
        return np.zeros((1, 1))
    return np.asarray(table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean(), dtype=np.float64)
