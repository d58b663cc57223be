"""Array types, and the input format of values: one result per row, NaN for missing measurements."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

MAGNITUDE_LIMIT = 1e100
"""No quantity of a file system benchmark comes near this in base units; squares of smaller numbers are finite."""


def matrix(rows: Sequence[Sequence[float | None]]) -> FloatArray:
    """Rows of unequal length as one (R, n) array; None and the positions after the end of a row become NaN."""
    widths = {len(row) for row in rows}
    width = max(widths, default=0)
    if len(widths) == 1:
        return np.array(rows, dtype=np.float64)
    values = np.full((len(rows), width), np.nan)
    for line, row in zip(values, rows, strict=True):
        line[: len(row)] = np.asarray(row, dtype=np.float64)
    return values


def as_matrix(values: npt.ArrayLike) -> FloatArray:
    """`values` as a (R, n) float array, an empty list as no rows; ValueError for any other shape."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape == (0,):
        return array.reshape(0, 0)
    if array.ndim != 2:
        raise ValueError(f"values need two dimensions (results, rounds), got {array.ndim}")
    return array


def as_column(numbers: npt.ArrayLike, length: int, name: str) -> FloatArray:
    """`numbers` as a (length,) float array, a scalar repeated; ValueError for any other shape."""
    array = np.asarray(numbers, dtype=np.float64)
    if array.ndim == 0:
        array = np.full(length, float(array))
    if array.shape != (length,):
        raise ValueError(f"{name} needs {length} numbers, got shape {array.shape}")
    return array


def usable(values: FloatArray) -> BoolArray:
    """Flags of numbers that can be computed with: finite and below `MAGNITUDE_LIMIT`."""
    return np.abs(values) < MAGNITUDE_LIMIT


def pack(values: FloatArray) -> FloatArray:
    """The same rows with NaN moved to the end and the order of the rest kept."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    return values[np.arange(len(values))[:, np.newaxis], np.argsort(missing, axis=1, kind="stable")]


def row_any(flags: BoolArray) -> BoolArray:
    """Whether any flag of each row is set."""
    return np.asarray(flags.any(axis=1), dtype=bool)


def divide(numerator: FloatArray, denominator: FloatArray | IntArray) -> FloatArray:
    """Element-wise quotient: NaN if the denominator is 0 or both are infinite, infinite beyond the range."""
    with np.errstate(all="ignore"):
        return np.where(denominator != 0, numerator / denominator, np.nan)


def optional(column: FloatArray) -> list[float | None]:
    """A column as Python numbers, None for NaN and infinity, ready for a database or JSON."""
    return [number if math.isfinite(number) else None for number in column.tolist()]
