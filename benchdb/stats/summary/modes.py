"""Whether the values of a result gather around one value or several: Hartigan's dip, calibrated for small n."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.ordering import order_statistic

SMALLEST_N = 8
"""Below this not even two tight groups of equal size reach p < 0.01 reliably."""
LARGEST_N = 200
RESOLUTION = 1e-9
"""Values closer than this share of their range count as equal: a change of unit causes such differences."""
TABLE = Path(__file__).with_name("dip_of_uniform.csv")


class Modes(NamedTuple):
    """Columns of length R, NaN if n < 8, n > 200 or all values are equal.

    `dip` is the distance to the nearest distribution with one mode, from 1/(2n) to 1/4; `p` the share of
    samples of the uniform distribution with at least this dip, never below 0.0001.
    """

    dip: FloatArray
    p: FloatArray


def modes(ordered: FloatArray, n: IntArray) -> Modes:
    """The dip test (Hartigan and Hartigan 1985) of each sorted row of a (R, n) array, NaN last.

    Of all distributions with one mode the uniform one has the largest dips, so p is an upper bound for the others.
    """
    result = Modes(np.full(len(n), np.nan), np.full(len(n), np.nan))
    varies = order_statistic(ordered, n - 1) > order_statistic(ordered, np.zeros_like(n))
    fit = varies & (n >= SMALLEST_N) & (n <= LARGEST_N)
    # Rows of one length are computed together; a run has few lengths.
    for size in np.unique(n[fit]).tolist():
        of_size = fit & (n == size)
        dip = dips(spread_ties(_scaled(ordered[of_size, :size].T)))
        result.dip[of_size], result.p[of_size] = dip, p_of_dip(dip, size)
    return result


def spread_ties(places: FloatArray) -> FloatArray:
    """(n, R) sorted columns with equal values spread evenly over half the smallest step to either side.

    Values from a tool that prints whole numbers form heaps of equal values, which would count as modes. A column of
    only two different values becomes evenly spread, because two modes and one rounded mode would look the same.
    """
    gaps = np.diff(places, axis=0)
    apart = gaps > RESOLUTION
    if apart.all():
        return places
    step = np.where(apart, gaps, np.inf).min(axis=0)
    n, columns = places.shape
    ends = np.ones((1, columns), dtype=bool)
    index = np.arange(n)[:, np.newaxis]
    first = np.maximum.accumulate(np.where(np.concatenate([ends, apart]), index, 0), axis=0)
    last = np.minimum.accumulate(np.where(np.concatenate([apart, ends]), index, n)[::-1], axis=0)[::-1]
    offset = (index - first + 0.5) / (last - first + 1) - 0.5
    return _scaled(places + offset * step)


def dips(places: FloatArray) -> FloatArray:
    """The dip of each sorted column of a (n, R) array of numbers from 0 to 1.

    The dip is half of the gain of two intervals over one: max over λ of E₂(λ) − E₁(λ), with E_M(λ) the largest sum over
    M disjoint intervals of (share of the values inside) − λ·length (Müller and Sawitzki 1991). One pass over the values
    computes both sums for all λ and columns.
    """
    levels = _levels(places)
    # In units of one value. `opened` is the largest sum with the last interval still open, `closed` with it closed,
    # each less the one value that any interval contains.
    opened_first = np.zeros_like(levels)
    closed_first = np.zeros_like(levels)
    opened_second = np.full_like(levels, -np.inf)
    closed_second = np.full_like(levels, -np.inf)
    start, end = np.empty_like(levels), np.empty_like(levels)
    for index in range(1, len(places)):
        np.multiply(levels, places[index], out=start)
        start -= index
        np.maximum(opened_second, np.add(closed_first, start, out=end), out=opened_second)
        np.maximum(opened_first, start, out=opened_first)
        np.maximum(closed_first, np.subtract(opened_first, start, out=end), out=closed_first)
        np.maximum(closed_second, np.subtract(opened_second, start, out=end), out=closed_second)
    gain: FloatArray = (closed_second - closed_first).max(axis=0) + 1
    return gain / (2 * len(places))


def p_of_dip(dip: FloatArray, n: int) -> FloatArray:
    """Share of uniform samples of n values with at least this dip, from the table; between its n by √n·dip."""
    sizes, p, quantiles = _table()
    scaled = [np.interp(np.log(n), np.log(sizes), column) for column in quantiles.T]
    share: FloatArray = np.exp(np.interp(dip * np.sqrt(n), scaled, np.log(p)))
    # Many samples have the smallest possible dip.
    return np.where(dip <= (1 + RESOLUTION) / (2 * n), 1.0, share)


def _scaled(places: FloatArray) -> FloatArray:
    # Contiguous rows make the later steps five times as fast.
    return np.ascontiguousarray((places - places[0]) / (places[-1] - places[0]))


def _levels(places: FloatArray) -> FloatArray:
    """The λ to try, in values per length: (n − 1, R). E₂ − E₁ is largest at kinks of E₁.

    E₁(λ) = max over k of k − λ·(the shortest interval with k values), so its kinks are the slopes of the concave
    majorant of k over those lengths: from each k the steepest way up to more values.
    """
    n = len(places)
    shortest = np.zeros_like(places)
    for more in range(1, n):
        (places[more:] - places[:-more]).min(axis=0, out=shortest[more])
    values = np.arange(n, dtype=np.float64)[:, np.newaxis]
    levels = np.empty((n - 1, places.shape[1]))
    for k in range(n - 1):
        longer = shortest[k + 1 :] - shortest[k]
        slopes = np.zeros_like(longer)
        np.divide(values[1 : n - k], longer, out=slopes, where=longer > RESOLUTION)
        slopes.max(axis=0, out=levels[k])
    return levels


@lru_cache(maxsize=1)
def _table() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sizes (N,), p (P,) and √n times the dip (N, P) that a share p of uniform samples reaches.

    Made by `python -m tests.stats.dip_table`, which documents the method.
    """
    rows = np.loadtxt(TABLE, delimiter=",")
    return rows[1:, 0], rows[0, 1:], rows[1:, 1:]
