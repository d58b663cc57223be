"""Places of values on an axis, for the strips of cells and the plots of panels."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Value = TypeVar("Value", float, Floats)


def share(value: Value, begin: Value, end: Value) -> Value:
    """The place of a value on an axis, 0 at `begin` and 1 at `end`, which differ."""
    return (value - begin) / (end - begin)
