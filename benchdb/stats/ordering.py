"""Order statistics, quantiles and ties of sorted rows."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray, IntArray


def sort_rows(values: FloatArray) -> FloatArray:
    """Each row in ascending order, NaN last."""
    return np.sort(values, axis=1)


def order_statistic(ordered: FloatArray, position: IntArray) -> FloatArray:
    """The value at `position` (counted from 0) of each sorted row; NaN if the row has no such position."""
    rows, width = ordered.shape
    if width == 0:
        return np.full(rows, np.nan)
    inside = (position >= 0) & (position < width)
    return np.where(inside, ordered[np.arange(rows), np.where(inside, position, 0)], np.nan)


def quantile(ordered: FloatArray, n: IntArray, fraction: float) -> FloatArray:
    """Quantile of each sorted row by linear interpolation at (n − 1)·fraction.

    Type 7 of Hyndman and Fan (1996), the default of NumPy, R and spreadsheets. The median is `fraction` = 0.5.
    """
    position = (n - 1) * fraction
    below = np.floor(position).astype(np.int64)
    above = np.ceil(position).astype(np.int64)
    low = order_statistic(ordered, below)
    between: FloatArray = low + (position - below) * (order_statistic(ordered, above) - low)
    return between


def tie_sizes(ordered: FloatArray) -> IntArray:
    """For each position of each sorted row, the number of values in the row equal to the value there (NaN: 1)."""
    first, last = tied_places(ordered)
    return last - first + 1


def tied_places(ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """For each position of each sorted row, the first and last position with the same value (NaN: its position)."""
    rows, width = ordered.shape
    places = np.broadcast_to(np.arange(width), (rows, width))
    starts = np.ones((rows, width), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    ends = np.ones((rows, width), dtype=bool)
    ends[:, :-1] = starts[:, 1:]
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    return first, np.minimum.accumulate(np.where(ends, places, width)[:, ::-1], axis=1)[:, ::-1]
