"""A second condition on differences between cells of very few rounds."""

from __future__ import annotations

import numpy as np
import scipy

from benchdb.stats.arrays import FloatArray, IntArray, divide
from benchdb.stats.moments import Moments

from .cells import Cells

FEW = 5
"""Up to this n on either side the condition applies."""


def p_with_few_rounds(
    p: FloatArray, first: Moments, second: Moments, runs: IntArray, usual: float, most: int = FEW
) -> FloatArray:
    """(C,) or (C, k) p, raised if the difference is not large beside the usual spread of the table's cells.

    `first` and `second` are the moments of the sides' logarithms, `runs` the smaller number of runs of the two sides,
    `usual` the `usual_spread` of their table. If noise has two levels, all of three rounds lie on one level by chance
    in one sample of four. Such a sample looks very precise, and two of them on different levels look very different.
    With `most` rounds or fewer in one run, the difference d of the logarithms must therefore also be large for the
    usual spread s̃: p = max(p, 2·Φ(−|d| / (s̃·√(1/n₁ + 1/n₂)))). If all cells have the same noise, this changes nothing.
    """
    few = (np.minimum(first.n, second.n) <= most) & (runs == 1) & ~np.isnan(p)
    if not few.any():
        return p
    error = usual * np.sqrt(1 / np.maximum(first.n, 1) + 1 / np.maximum(second.n, 1))
    beside = 2 * scipy.special.ndtr(-divide(np.abs(first.mean - second.mean), error))
    return np.where(few, np.fmax(p, beside), p)


def usual_spread(first: Cells, second: Cells) -> float:
    """The median of the `spreads` of all cells of the tables from which the two sides were taken; NaN without any.

    It is that of the whole table, so that verdicts, marks and findings have the same p for the same pair.
    """
    tables = {id(cells.table): cells.table for cells in (first, second)}
    spreads = np.concatenate([table.spreads for table in tables.values()])
    known = spreads[~np.isnan(spreads)]
    return float(np.median(known)) if len(known) else float("nan")
