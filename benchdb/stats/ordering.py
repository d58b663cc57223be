"""What follows from the sorted values of each row: order statistics, quantiles, ties."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray, IntArray


def sort_rows(values: FloatArray) -> FloatArray:
    """Each row in ascending order, NaN last."""
    return np.sort(values, axis=1)


def order_statistic(ordered: FloatArray, position: IntArray) -> FloatArray:
    """The value at `position` (counted from 0) of each sorted row; NaN where the row has no such place."""
    rows, width = ordered.shape
    if width == 0:
        return np.full(rows, np.nan)
    inside = (position >= 0) & (position < width)
    found = ordered[np.arange(rows), np.where(inside, position, 0)]
    return np.where(inside, found, np.nan)


def quantile(ordered: FloatArray, n: IntArray, fraction: float) -> FloatArray:
    """Quantile of each sorted row by linear interpolation at (n − 1)·fraction.

    Type 7 of Hyndman and Fan (1996), the default of NumPy, R and spreadsheets. The median is `fraction` = 0.5.
    """
    place = (n - 1) * fraction
    below = np.floor(place).astype(np.int64)
    above = np.ceil(place).astype(np.int64)
    low = order_statistic(ordered, below)
    between: FloatArray = low + (place - below) * (order_statistic(ordered, above) - low)
    return between


def tie_sizes(ordered: FloatArray) -> IntArray:
    """For each place of each sorted row, how many values of the row equal the one there (NaN equals nothing: 1)."""
    first, last = tied_places(ordered)
    return last - first + 1


def tied_places(ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """For each place of each sorted row, the first and the last place with the value there (NaN: its own place)."""
    rows, width = ordered.shape
    places = np.broadcast_to(np.arange(width), (rows, width))
    starts = np.ones((rows, width), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    ends = np.ones((rows, width), dtype=bool)
    ends[:, :-1] = starts[:, 1:]
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, width)[:, ::-1], axis=1)[:, ::-1]
    return first, last
