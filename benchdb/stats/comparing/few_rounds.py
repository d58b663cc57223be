"""A second condition on differences between cells of very few rounds."""

from __future__ import annotations

import numpy as np
from scipy import special

from benchdb.stats.arrays import BoolArray, FloatArray, divide

from .cells import Cells
from .log_means import Side

FEW = 5
"""Up to this n on either side the condition applies."""


def p_with_few_rounds(p: FloatArray, cells: Cells, baseline: Cells) -> FloatArray:
    """(C,) p of the deciding test, raised if the difference is not large beside the usual spread of the table's cells.

    If noise has two levels, all of three rounds lie on one level by chance in one sample of four. Such a sample looks
    very precise, and two of them on different levels look very different. With five rounds or fewer in one run, the
    difference of the logarithms must therefore also be large for the median s̃ of the standard deviations of all tested
    cells: p = max(p, 2·Φ(−|d| / (s̃·√(1/n₁ + 1/n₂)))). Where all cells have the same noise this changes nothing.
    """
    few = (np.minimum(cells.n, baseline.n) <= FEW) & (np.minimum(cells.runs, baseline.runs) == 1) & ~np.isnan(p)
    if not few.any():
        return p
    first, second = Side.of(cells), Side.of(baseline)
    logs = first.all_positive & second.all_positive
    (mean, sd), (other_mean, other_sd) = _of_logarithms(first, logs), _of_logarithms(second, logs)
    tested = ~np.isnan(p)
    usual = np.nanmedian(np.concatenate([sd[tested], other_sd[tested]]))
    error = usual * np.sqrt(1 / np.maximum(cells.n, 1) + 1 / np.maximum(baseline.n, 1))
    beside = 2 * special.ndtr(-divide(np.abs(mean - other_mean), error))
    return np.where(few, np.fmax(p, beside), p)


def _of_logarithms(side: Side, known: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Mean and sd of the logarithms; without `known` values ln(mean) and cv, which are close to them."""
    plain = side.plain
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, side.logarithms.mean, np.log(plain.mean))
    return mean, np.where(known, side.logarithms.sd, divide(plain.sd, np.abs(plain.mean)))
