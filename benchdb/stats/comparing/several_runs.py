"""Cells with several runs: the variation between runs, separate from the variation within a run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, as_matrix, divide, usable
from benchdb.stats.moments import moments


class SeveralRuns(NamedTuple):
    """Columns of length C, NaN for figures that do not exist.

    `runs`, `mean` and `sd` are n, mean and sd of the runs' means, the sample of comparisons. `within_sd` is the sd of
    the rounds of one run about its mean, `between_sd` that of the runs' true means; `p` tests whether the runs differ
    more than their rounds explain.
    """

    runs: IntArray
    mean: FloatArray
    sd: FloatArray
    within_sd: FloatArray
    between_sd: FloatArray
    p: FloatArray


def several_runs(n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> SeveralRuns:
    """Cells from the figures of their runs: three (C, k) arrays with a row per cell and a column per run.

    NaN as mean: no such run. NaN or 0 as n: unknown. NaN as sd: unknown, or only one value. One-way random effects
    with unequal n by the analysis of variance (Searle, Casella and McCulloch 1992, §3.6); a negative estimate of the
    variance between runs becomes 0. Runs with unknown n, or without a needed sd, count only in `mean` and `sd`.
    ValueError if the shapes differ.
    """
    sizes, means, sds = as_matrix(n), as_matrix(mean), as_matrix(sd)
    if not sizes.shape == means.shape == sds.shape:
        raise ValueError(f"n, mean and sd have different shapes: {sizes.shape}, {means.shape}, {sds.shape}")
    measured = usable(means)
    counted = measured & ((sizes == 1) | ((sizes > 1) & usable(sds)))
    # In units of the largest figure, so that squares stay in the range of floating point.
    unit = np.maximum(_largest(means, counted), _largest(sds, counted & (sizes > 1)))
    parts = _variances(
        np.where(counted, sizes, 0.0),
        np.where(counted, divide(means, unit[:, np.newaxis]), 0.0),
        np.where(counted & (sizes > 1), divide(sds, unit[:, np.newaxis]), 0.0),
    )
    runs, mean_of_runs, sd_of_runs = moments(np.where(measured, means, np.nan))
    return SeveralRuns(
        runs, mean_of_runs, sd_of_runs, np.sqrt(parts.within) * unit, np.sqrt(parts.between) * unit, parts.p
    )


class _Variances(NamedTuple):
    within: FloatArray
    between: FloatArray
    p: FloatArray


def _variances(n: FloatArray, mean: FloatArray, sd: FloatArray) -> _Variances:
    """The variances within and between the runs of each cell, from (C, k) arrays with 0 for missing runs."""
    total, groups = n.sum(axis=1), (n > 0).sum(axis=1)
    degrees_between, degrees_within = np.maximum(groups - 1, 0), total - groups
    centre = divide((n * mean).sum(axis=1), total)
    mean_square = divide((n * (mean - centre[:, np.newaxis]) ** 2).sum(axis=1), degrees_between)
    within = divide((np.maximum(n - 1, 0) * sd**2).sum(axis=1), degrees_within)
    typical_n = divide(total - divide((n**2).sum(axis=1), total), degrees_between)
    between = np.maximum(divide(mean_square - within, typical_n), 0.0)
    p = scipy.special.fdtrc(degrees_between, degrees_within, divide(mean_square, within))
    return _Variances(within, between, p)


def _largest(figures: FloatArray, where: BoolArray) -> FloatArray:
    return np.asarray(np.abs(np.where(where, figures, 0.0)).max(axis=1, initial=0.0), dtype=np.float64)
