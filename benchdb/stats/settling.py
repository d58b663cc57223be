"""When a round settled: the steady state of SNIA's Performance Test Specification, and changes of level inside a round.

The specification judges five successive rounds of a minute each: they are steady if their range is at most 20 % of
their mean, and their least-squares line moves by at most 10 % of it from the first to the last (SNIA, Solid State
Storage Performance Test Specification 2.0.1, 2020, definition of Steady State). Here it judges five successive seconds,
or other steps of a series, after the last change point (`change_points.py`) that is certain or of more than 20 %: a
plateau before a fall is steady by the rule, but the round has not settled on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import FloatArray
from .change_points import change_points

WINDOW = 5
SECOND = 1.0  # the shortest step that is judged: the rates of tenths of a second depend on single operations
MOST_RANGE = 0.20
MOST_SLOPE = 0.10
LEAST_CHANGE = 0.05
"""A smaller change of level is none that matters, however certain: very even rates make any change certain."""
LEAST_SHARE = 0.01
"""Steps below this share of the median count as this share: a stall is a low level, and logarithms stay finite."""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """From step `at` on, counted from 0, the level is `ratio` times the one before."""

    at: int
    ratio: float


@dataclass(frozen=True, slots=True)
class Settling:
    """The changes of a round in their order, and the first step of the first steady window after them.

    `settled_at` is None if the round never settled. `judged` is False for too few steps, or zeros in half of them.
    """

    judged: bool
    settled_at: int | None = None
    changes: tuple[LevelChange, ...] = ()


def settling(rates: npt.ArrayLike) -> Settling:
    """Judge the rates of successive steps of equal length, (K,), none of them negative."""
    values: FloatArray = np.asarray(rates, dtype=np.float64)
    median = float(np.median(values)) if len(values) else 0.0
    if len(values) < 2 * WINDOW or median <= 0:
        return Settling(judged=False)
    history = change_points(np.maximum(values, LEAST_SHARE * median), drifts=False)
    certain = [point for point in history.points if point.certain and abs(point.ratio - 1) >= LEAST_CHANGE]
    changes = tuple(LevelChange(point.at, point.ratio) for point in certain)
    plateau_ends = [point.at for point in history.points if point in certain or abs(point.ratio - 1) > MOST_RANGE]
    start = plateau_ends[-1] if plateau_ends else 0
    steady = np.flatnonzero(steady_windows(values[start:]))
    return Settling(True, start + int(steady[0]) if len(steady) else None, changes)


def in_seconds(rates: npt.ArrayLike, step: float) -> tuple[FloatArray, float]:
    """The rates (K,) of steps of `step` seconds in steps of about a second or more, and the length of those.

    A rest that is no whole step is left out.
    """
    values: FloatArray = np.asarray(rates, dtype=np.float64)
    together = max(1, round(SECOND / step))
    steps = len(values) // together
    return values[: steps * together].reshape(steps, together).mean(axis=1), together * step


def steady_windows(values: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether the five values from each position on are steady: K − 4 flags for K values."""
    if len(values) < WINDOW:
        return np.zeros(0, dtype=bool)
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW)
    means = windows.mean(axis=1)
    times = np.arange(WINDOW) - (WINDOW - 1) / 2
    excursion = np.abs(windows @ times) / (times @ times) * (WINDOW - 1)
    steady = (np.ptp(windows, axis=1) <= MOST_RANGE * means) & (excursion <= MOST_SLOPE * means)
    return np.asarray(steady & (means > 0), dtype=bool)
