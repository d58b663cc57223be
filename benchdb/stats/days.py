"""Days of measuring: runs of one day share its conditions, so they count as one observation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .arrays import FloatArray, IntArray

DAY = 86_400.0


def days_of(times: npt.ArrayLike) -> IntArray:
    """The number of the day of each time, (K,) seconds since an epoch.

    A day begins in the middle of the longest time of day without a run, so that a session over midnight is one day.
    """
    seconds: FloatArray = np.asarray(times, dtype=np.float64)
    if not len(seconds):
        return np.zeros(0, dtype=np.int64)
    clock = np.sort(seconds % DAY)
    gaps = np.diff(clock, append=clock[0] + DAY)
    longest = int(np.argmax(gaps))
    begin = clock[longest] + gaps[longest] / 2
    days: IntArray = np.floor((seconds - begin) / DAY).astype(np.int64)
    return days


def beginnings(days: npt.ArrayLike) -> IntArray:
    """The index of the first run of each stretch of runs of one day, for runs in any order."""
    numbers = np.asarray(days)
    return np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1])) if len(numbers) else np.zeros(0, dtype=np.int64)
