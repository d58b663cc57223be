"""Cells in which several runs meet: what varies from run to run, apart from what varies inside a run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from benchdb.stats.arrays import FloatArray, IntArray, as_matrix, divide, usable
from benchdb.stats.moments import moments


class SeveralRuns(NamedTuple):
    """Columns of length C, NaN where a figure does not exist.

    `runs`, `mean` and `sd` are those of the runs' means: the sample that comparisons use. `within_sd` is the sd of the
    rounds of one run about its mean, `between_sd` that of the runs' true means; `p` says whether the runs differ more
    than their rounds explain.
    """

    runs: IntArray
    mean: FloatArray
    sd: FloatArray
    within_sd: FloatArray
    between_sd: FloatArray
    p: FloatArray


def several_runs(n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> SeveralRuns:
    """Cells from the figures of their runs: three (C, k) arrays, a cell a row and a run a place in it.

    NaN as mean: no such run. NaN or 0 as n: not known. NaN as sd: not known, or one value only. One-way random effects
    with unequal n by the analysis of variance (Searle, Casella and McCulloch 1992, §3.6); a negative estimate of the
    variance between runs is 0. Runs of which n or a needed sd is not known count in `mean` and `sd` only. ValueError
    where the shapes differ.
    """
    sizes, means, sds = as_matrix(n), as_matrix(mean), as_matrix(sd)
    if not sizes.shape == means.shape == sds.shape:
        raise ValueError(f"n, mean and sd have different shapes: {sizes.shape}, {means.shape}, {sds.shape}")
    measured = np.where(usable(means), means, np.nan)
    runs, grand, spread = moments(measured)
    counted = usable(means) & ((sizes == 1) | ((sizes > 1) & usable(sds)))
    weight = np.where(counted, sizes, 0.0)
    total, groups = weight.sum(axis=1), counted.sum(axis=1)
    # In units of the largest mean, so that no square leaves the range.
    unit = np.abs(np.where(counted, means, 0.0)).max(axis=1, initial=0.0)
    scaled = np.where(counted, divide(means, unit[:, np.newaxis]), 0.0)
    inside = np.where(counted & (sizes > 1), divide(sds, unit[:, np.newaxis]), 0.0)
    centre = divide((weight * scaled).sum(axis=1), total)
    degrees_between, degrees_within = np.maximum(groups - 1, 0), total - groups
    between = divide((weight * (scaled - centre[:, np.newaxis]) ** 2).sum(axis=1), degrees_between)
    within = divide((np.maximum(weight - 1, 0) * inside**2).sum(axis=1), degrees_within)
    typical_n = divide(total - divide((weight**2).sum(axis=1), total), degrees_between)
    return SeveralRuns(
        runs=runs,
        mean=grand,
        sd=spread,
        within_sd=np.sqrt(within) * unit,
        between_sd=np.sqrt(np.maximum(divide(between - within, typical_n), 0.0)) * unit,
        p=special.fdtrc(degrees_between, degrees_within, divide(between, within)),
    )
