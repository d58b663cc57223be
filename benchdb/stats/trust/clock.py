"""The ticks of the tool's clock in a measured time, and whether they are enough."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import FloatArray, divide

COARSE_BELOW = 100
UNUSABLE_BELOW = 10
ROUNDING = 1e-9
"""A time recovered from a throughput may miss its tick by the last bits of a float."""


class ClockVerdict(StrEnum):
    """One tick of error is below 1 % (FINE), below 10 % (COARSE: marked), more (UNUSABLE: no verdict)."""

    FINE = "fine"
    COARSE = "coarse"
    UNUSABLE = "unusable"
    UNKNOWN = "unknown"


class ClockJudgement(NamedTuple):
    """Columns of length C: `ticks` is NaN if `verdict` is unknown."""

    ticks: FloatArray
    verdict: tuple[ClockVerdict, ...]


def elapsed_from_throughput(moved: npt.ArrayLike, throughput: npt.ArrayLike) -> FloatArray:
    """Seconds to move `moved` bytes at `throughput` bytes/s; NaN if the throughput is 0."""
    size, rate = np.broadcast_arrays(np.asarray(moved, dtype=np.float64), np.asarray(throughput, dtype=np.float64))
    return divide(size, rate)


def clock_verdicts(elapsed: npt.ArrayLike, tick: npt.ArrayLike) -> ClockJudgement:
    """Judge (C,) measured times in seconds by the tick of the clock in seconds, one or (C,); NaN: unknown.

    Below 100 ticks a time is coarse, below 10 it is unusable.
    """
    seconds, step = np.broadcast_arrays(
        np.atleast_1d(np.asarray(elapsed, dtype=np.float64)), np.asarray(tick, dtype=np.float64)
    )
    ticks = divide(seconds, step)
    ticks = np.where(np.isfinite(ticks) & (ticks >= 0), ticks, np.nan)
    order = (ClockVerdict.UNKNOWN, ClockVerdict.UNUSABLE, ClockVerdict.COARSE, ClockVerdict.FINE)
    reached = ticks * (1 + ROUNDING)
    chosen = np.select([np.isnan(ticks), reached < UNUSABLE_BELOW, reached < COARSE_BELOW], [0, 1, 2], default=3)
    return ClockJudgement(ticks, tuple(order[index] for index in chosen.tolist()))
