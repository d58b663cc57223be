"""Values of both sides that share a block, for tests of their differences: the conditions of the block cancel out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.moments import moments

NO_BLOCK = -1
FEWEST_CAMPAIGNS = 3
NO_VARIATION = 1e-12
"""Logarithms of equal ratios differ by rounding; a smaller standard deviation is none."""


class Blocked(NamedTuple):
    """The logarithms of C cells in the order of their blocks.

    `logarithms`, `blocks` and `columns` (the columns of `Cells.values`) are (C, k). The values of one run are in the
    order of its rounds, missing ones included; the means of several runs in that of their campaigns, missing ones last
    and in no block. `several` flags cells of several runs.
    """

    logarithms: FloatArray
    blocks: IntArray
    columns: IntArray
    several: BoolArray

    @classmethod
    def of(cls, logarithms: FloatArray, blocks: IntArray, runs: IntArray) -> Blocked:
        several = runs > 1
        found = np.where(several[:, np.newaxis] & np.isnan(logarithms), NO_BLOCK, blocks)
        keys = np.where(found == NO_BLOCK, np.iinfo(np.int64).max, found)
        # The rounds of one run stay where they are: the column is the round.
        columns = np.where(several[:, np.newaxis], np.argsort(keys, axis=1, kind="stable"), np.arange(blocks.shape[1]))
        ordered = np.take_along_axis(logarithms, columns, axis=1)
        return cls(ordered, np.take_along_axis(found, columns, axis=1), columns, several)

    def take(self, places: IntArray) -> Blocked:
        """The cells at these positions, in this order."""
        return Blocked(self.logarithms[places], self.blocks[places], self.columns[places], self.several[places])


def differences(first: Blocked, second: Blocked) -> FloatArray:
    """ln first − ln second in each block that both sides have, (C, k); NaN in other places.

    Cells of several runs have differences only if both sides have means of exactly the same campaigns, each once:
    otherwise pairing would drop runs that the displayed means contain.
    """
    width = min(first.blocks.shape[1], second.blocks.shape[1])
    own, other = first.blocks[:, :width], second.blocks[:, :width]
    common = (own == other) & (own != NO_BLOCK)
    size = common.sum(axis=1)
    repeated = ((own[:, 1:] == own[:, :-1]) & common[:, 1:]).any(axis=1)
    same = (_measured(first) == size) & (_measured(second) == size) & ~repeated
    fits = (first.several == second.several) & (~first.several | same)
    return np.where(common & fits[:, np.newaxis], first.logarithms[:, :width] - second.logarithms[:, :width], np.nan)


def by_campaign(first: Blocked, second: Blocked) -> FloatArray:
    """The `differences` of cells with means of the same three or more campaigns on both sides; NaN for all others.

    Student's paired t-test is that of one sample on these (Student 1908). Differences without variation count as none:
    there is nothing to test against.
    """
    found = differences(first, second)
    n, _, sd = moments(found)
    fits = first.several & (n >= FEWEST_CAMPAIGNS) & (sd > NO_VARIATION)
    return np.where(fits[:, np.newaxis], found, np.nan)


def _measured(side: Blocked) -> IntArray:
    return np.asarray((~np.isnan(side.logarithms)).sum(axis=1), dtype=np.int64)
