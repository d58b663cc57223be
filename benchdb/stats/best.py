"""Which cells of a row are best."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from benchdb.stats.arrays import IntArray
from benchdb.stats.cells import Cells
from benchdb.stats.means_test import Side, compare_means
from benchdb.stats.multiple import Correction, adjust

LEVEL = 0.05


class NoBest(StrEnum):
    """Why a row has no best cell."""

    TOO_FEW_CELLS = "too_few_cells"
    """Fewer than two cells can be tested."""
    UNTESTED_LEADS = "untested_leads"
    """A cell that cannot be tested (one value, no sd, clock too coarse) has the best mean."""


@dataclass(frozen=True, slots=True)
class BestSet:
    """Places of cells in the row, ascending.

    `members` is one cell that is significantly better than every other that could be tested, or the cells none of
    which the leader could be told from; empty where `reason` says why. `left_out` could not be tested.
    """

    members: tuple[int, ...]
    left_out: tuple[int, ...]
    reason: NoBest | None = None

    @property
    def is_single(self) -> bool:
        """Whether one cell beats all its rivals."""
        return len(self.members) == 1


def best_set(cells: Cells, *, higher_is_better: bool = True, level: float = LEVEL) -> BestSet:
    """The best cell or the tie for best among the cells of one row, all of one test and metric.

    Every pair is tested as `compare` tests, and p is corrected over all pairs of the row (Holm 1979): which cell
    leads is read off the same data, so only testing all pairs keeps the promised error rate.
    """
    reasons = cells.reason()
    fit = [place for place, reason in enumerate(reasons) if reason is None]
    left_out = tuple(place for place, reason in enumerate(reasons) if reason is not None)
    if len(fit) < 2:
        return BestSet((), left_out, NoBest.TOO_FEW_CELLS)
    merit = cells.mean if higher_is_better else -cells.mean
    leader = max(fit, key=lambda place: merit[place])
    if any(merit[place] > merit[leader] for place in left_out):
        return BestSet((), left_out, NoBest.UNTESTED_LEADS)
    worse = _worse_than(leader, np.array(fit), cells, level)
    return BestSet(tuple(place for place in fit if place not in worse), left_out)


def _worse_than(leader: int, fit: IntArray, cells: Cells, level: float) -> set[int]:
    """The cells that the leader is significantly better than."""
    first, second = (fit[places] for places in np.triu_indices(len(fit), 1))
    side = Side.of(cells)
    test = compare_means(side.take(first), side.take(second))
    # The logarithms must point the way the means do. A pair without variation has no t and stays a tie.
    agrees = np.sign(test.t) == np.sign(cells.mean[first] - cells.mean[second])
    apart = (adjust(test.p, Correction.HOLM) < level) & agrees
    rivals = np.concatenate([second[apart & (first == leader)], first[apart & (second == leader)]])
    return set(rivals.tolist())
