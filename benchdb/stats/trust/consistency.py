"""Reads of one run that are too fast beside its sequential read: both cannot have come from the device."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, divide

LEVEL = 0.005
"""Of quiet runs, the share that may be called contradictory; simulated at the margin it is below 1 %."""
MARGIN = 0.02
"""Reads out of order may be this much faster than reads in order without a cache: another place on the disk."""
TOLERANCE = 1.5
"""Without a spread, only a read that is half as fast again is a contradiction."""


class FasterReads(NamedTuple):
    """Columns of length C: `ratio` to the sequential read, NaN if a mean is missing, and whether it `contradicts`."""

    ratio: FloatArray
    contradicts: BoolArray


def faster_reads(
    n: npt.ArrayLike,
    mean: npt.ArrayLike,
    sd: npt.ArrayLike,
    sequential_n: npt.ArrayLike,
    sequential_mean: npt.ArrayLike,
    sequential_sd: npt.ArrayLike,
    tests: npt.ArrayLike,
) -> FasterReads:
    """Compare throughputs with those of the sequential reads of the same file; all (C,), NaN if unknown.

    Welch's test of ln(mean ÷ sequential mean) = ln(1 + MARGIN), one-sided, with sd ÷ mean as the sd of a logarithm (the
    delta method) and the Welch–Satterthwaite degrees of freedom; p times the number of such `tests` in the run
    (Bonferroni) has to be below LEVEL.
    """
    counts, means, sds, other_counts, others, other_sds, family = (
        np.asarray(column, dtype=np.float64)
        for column in (n, mean, sd, sequential_n, sequential_mean, sequential_sd, tests)
    )
    valid = (means > 0) & (others > 0)
    ratio = np.where(valid, divide(means, others), np.nan)
    squares = [
        np.where(size > 1, divide(divide(spread, average) ** 2, size), np.nan)
        for spread, average, size in ((sds, means, counts), (other_sds, others, other_counts))
    ]
    error = np.sqrt(squares[0] + squares[1])
    parts = [divide(square**2, size - 1) for square, size in zip(squares, (counts, other_counts), strict=True)]
    degrees = divide(error**4, parts[0] + parts[1])
    excess = np.log(np.where(valid, ratio, 1.0)) - np.log1p(MARGIN)
    known = error > 0
    p = scipy.special.stdtr(degrees, -divide(excess, error))
    return FasterReads(ratio, valid & np.where(known, p * family < LEVEL, ratio >= TOLERANCE))
