"""A second condition on differences between cells of few rounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray, divide
from benchdb.stats.moments import Moments
from benchdb.stats.welch import two_sided_p

from .cells import NO_KIND, Cells

FEW = 10
"""Up to this n on either side the condition applies."""

ODD = 5.0
"""Usual spreads from the median of the cell, beyond which a round is odd."""

ENOUGH = 8
"""So many cells of a test have a usual spread of their own: of 8 cells with three rounds each on one of two levels, all
lie on one level in 1 of 65,000 tables."""

MANY = 12
"""So many cells of a test show their usual spread without the noisiest third, fewer without the noisiest one."""

KNOWN = float("inf")  # degrees of freedom of a spread that counts as known


class UsualSpread(NamedTuple):
    """Columns of length C, or (C, 1): a standard deviation of logarithms, and the degrees of freedom behind it."""

    sd: FloatArray
    degrees: FloatArray

    def take(self, places: IntArray) -> UsualSpread:
        """Those at these places, in this order."""
        return UsualSpread(self.sd[places], self.degrees[places])

    def tall(self) -> UsualSpread:
        """As (C, 1) columns, for a p of each value of a row."""
        return UsualSpread(self.sd[:, np.newaxis], self.degrees[:, np.newaxis])


def p_with_few_rounds(
    p: FloatArray, first: Moments, second: Moments, runs: IntArray, usual: UsualSpread, most: int = FEW
) -> FloatArray:
    """(C,) or (C, k) p, raised if the difference is not large beside the usual spread of cells of the same test.

    `first` and `second` are the moments of the sides' logarithms, `runs` the smaller number of runs of the two sides,
    `usual` the `usual_spread` of their kind. If noise has two levels, all of three rounds lie on one level by chance
    in one sample of four. Such a sample looks very precise, and two of them on different levels look very different.
    With `most` rounds or fewer in one run, the difference d of the logarithms must therefore also be large for the
    usual spread s̃: p = max(p, P(|T| ≥ |d| / (s̃·√(1/n₁ + 1/n₂)))), T of Student's t with the degrees of freedom of s̃.
    If all cells have the same noise, this changes next to nothing.
    """
    few = (np.minimum(first.n, second.n) <= most) & (runs == 1) & ~np.isnan(p)
    if not few.any():
        return p
    error = usual.sd * np.sqrt(1 / np.maximum(first.n, 1) + 1 / np.maximum(second.n, 1))
    beside = two_sided_p(divide(np.abs(first.mean - second.mean), error), usual.degrees)
    return np.where(few, np.fmax(p, beside), p)


def p_of_odd_rounds(first: Cells, second: Cells, usual: UsualSpread) -> FloatArray:
    """(C,) p that all rounds of either side are odd ones, if odd rounds are as frequent as in the other cells.

    A round is odd if its logarithm is more than `ODD` usual spreads from the median of its cell. If a tenth of the
    rounds stall, all of three do so in one cell of a thousand, and look very precise.
    """
    odd = counted = 0
    for side in (first, second):
        known = side.all_positive
        logs = side.logarithms[known]
        away = np.abs(logs - np.nanmedian(logs, axis=1, keepdims=True)) > ODD * usual.sd[known, np.newaxis]
        odd, counted = odd + int(away.sum()), counted + int((~np.isnan(logs)).sum())
    share = (odd + 0.5) / (counted + 1)
    return np.asarray(share**first.n + share**second.n)


def usual_spread(first: Cells, second: Cells) -> UsualSpread:
    """The usual spread of cells like each pair of the two sides, from all cells of their tables; NaN without any.

    That of a pair of two kinds is the root mean square of both, with the fewer degrees of freedom. That of one kind is
    the root mean square of the `spreads` of its cells: where noise has two levels, the cells that lie on one of them
    have hardly any spread, and a median may be one of these. A kind with fewer than `ENOUGH` cells may have only such
    cells, so it has at least the median of the whole table; cells without a kind have just that, and it counts as
    known. Verdicts, marks and findings have the same p for the same pair, because all of them use the whole table.
    """
    return usual_of_pairs(usual_by_kind(first, second), first.kinds, second.kinds)


def usual_of_pairs(by_kind: UsualSpread, first: IntArray, second: IntArray) -> UsualSpread:
    """That of pairs of cells of these kinds (C,), from the spreads `by_kind`."""
    at = first - NO_KIND, second - NO_KIND
    sds, degrees = (by_kind.sd[side] for side in at), (by_kind.degrees[side] for side in at)
    return UsualSpread(np.hypot(*sds) / np.sqrt(2), np.minimum(*degrees))


def usual_by_kind(first: Cells, second: Cells) -> UsualSpread:
    """The usual spread of each kind of the tables of both sides, beginning with `NO_KIND`; NaN without any spread."""
    tables = list({id(cells.table): cells.table for cells in (first, second)}.values())
    spreads = np.concatenate([table.spreads for table in tables])
    kinds, n = (np.concatenate([getattr(table, name) for table in tables]) for name in ("kinds", "n"))
    length, known = 1 + int(kinds.max(initial=NO_KIND)) - NO_KIND, ~np.isnan(spreads)
    if not known.any():
        return UsualSpread(np.full(length, np.nan), np.full(length, np.nan))
    spreads, kinds, n = spreads[known], kinds[known] - NO_KIND, n[known]  # from 0, as bincount needs them
    number = np.bincount(kinds, minlength=length)
    ordered = spreads[np.lexsort((spreads, kinds))]
    # One of three systems that is far noisier must not hide what others show, nor one odd cell: they count as the next.
    capped = np.where(number < MANY, number // ENOUGH, number // 3)
    caps = np.append(ordered, np.nan)[np.cumsum(number) - 1 - capped]
    shares = np.minimum(spreads, caps[kinds]) / ordered.max()  # they have squares, whatever was published

    def total(column: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(kinds, column, minlength=length), dtype=np.float64)

    of_table, of_kind = np.median(spreads), spreads.max() * np.sqrt(divide(total(shares**2), number.astype(np.float64)))
    sd, degrees = np.where(number < ENOUGH, np.fmax(of_kind, of_table), of_kind), total(n - 1.0)
    unknown = number == 0
    unknown[0] = True  # cells without a kind have nothing in common
    sd[unknown], degrees[unknown] = of_table, KNOWN
    return UsualSpread(sd, degrees)
