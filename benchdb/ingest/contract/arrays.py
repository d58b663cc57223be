"""Columns of numbers as NumPy arrays, each with a mask of the entries that are no such number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from .field_types import MAX_QUANTITY

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def integers(entries: Sequence[object], most: int) -> tuple[IntArray, BoolArray]:
    """The whole numbers from 1 to `most`, 0 for null; and a mask of all other entries."""
    if are_integers(entries) and (numbers := _if_they_fit(entries)) is not None:
        wrong = (numbers < 1) | (numbers > most)
        return np.where(wrong, 0, numbers), wrong
    taken = (0 if x is None else x if type(x) is int and 1 <= x <= most else -1 for x in entries)
    numbers = np.fromiter(taken, np.int64, len(entries))
    return np.maximum(numbers, 0), numbers < 0


def are_integers(entries: Sequence[object]) -> TypeGuard[Sequence[int]]:
    """Whether there are entries, and all are whole numbers."""
    return set(map(type, entries)) == {int}


def _if_they_fit(entries: Sequence[int]) -> IntArray | None:
    """Whole numbers as an array; None if one has more than 64 bits."""
    try:
        return np.array(entries, dtype=np.int64)
    except OverflowError:
        return None


def quantities(entries: Sequence[object]) -> tuple[FloatArray, BoolArray]:
    """The numbers from 0 to `MAX_QUANTITY` as floats, NaN for null; and a mask of all other entries."""
    types = set(map(type, entries))
    if types != {float}:  # NumPy would read texts as numbers, and whole numbers may be too large for it
        entries = [x if x is None or _is_quantity(x) else -1.0 for x in entries]
    numbers = np.array(entries, dtype=np.float64)  # None becomes NaN
    wrong = ~((numbers >= 0) & (numbers <= MAX_QUANTITY))
    if type(None) in types:
        wrong &= np.fromiter((x is not None for x in entries), bool, len(entries))
    return np.where(wrong, np.nan, numbers), wrong


def _is_quantity(entry: object) -> bool:
    return isinstance(entry, int | float) and not isinstance(entry, bool) and 0 <= entry <= MAX_QUANTITY
