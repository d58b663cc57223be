"""Which cells of a row are best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .cells import Cells
from .log_means import Side, compare_means
from .multiple import holm
from .verdict import NoVerdict

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
    return best_sets(cells, [range(len(cells))], [higher_is_better], level=level)[0]


def best_sets(
    cells: Cells, rows: Sequence[Sequence[int]], higher_is_better: Sequence[bool], *, level: float = LEVEL
) -> list[BestSet]:
    """The same for many rows at once: each is the places of its cells, and its set has places in the row."""
    reasons, means = cells.reasons, cells.mean.tolist()
    found = [_Row(row, reasons, means, 1 if up else -1) for row, up in zip(rows, higher_is_better, strict=True)]
    worse: dict[int, set[int]] = {}
    by_size: dict[int, list[int]] = defaultdict(list)
    for i, row in enumerate(found):
        if row.leader is not None:
            by_size[len(row.fit)].append(i)
    side = Side.of(cells)
    for same in by_size.values():  # rows of one size are tested together
        beaten = _worse_than([found[i] for i in same], side, cells, level)
        worse.update(zip(same, beaten, strict=True))
    return [row.without(worse.get(i, set())) for i, row in enumerate(found)]


class _Row:
    """The places in a row that can be tested, and which of them leads; None where there is no best."""

    def __init__(
        self, row: Sequence[int], reasons: Sequence[NoVerdict | None], means: Sequence[float], sign: int
    ) -> None:
        self.cells = row
        self.fit = [place for place, cell in enumerate(row) if reasons[cell] is None]
        self.left_out = tuple(place for place, cell in enumerate(row) if reasons[cell] is not None)
        self.leader: int | None = None
        self.reason: NoBest | None = NoBest.TOO_FEW_CELLS
        if len(self.fit) < 2:
            return
        self.leader = max(self.fit, key=lambda place: sign * means[row[place]])
        best = sign * means[row[self.leader]]
        self.reason = NoBest.UNTESTED_LEADS if any(sign * means[row[place]] > best for place in self.left_out) else None
        self.leader = None if self.reason else self.leader

    def without(self, worse: set[int]) -> BestSet:
        """The set, given the places that the leader is significantly better than."""
        members = () if self.reason else tuple(place for place in self.fit if place not in worse)
        return BestSet(members, self.left_out, self.reason)


def _worse_than(rows: Sequence[_Row], side: Side, cells: Cells, level: float) -> list[set[int]]:
    """Of each row, all of one size, the places of the cells that its leader is significantly better than."""
    fit = np.array([row.fit for row in rows])
    places = np.array([[row.cells[place] for place in row.fit] for row in rows])
    leader = np.array([row.leader for row in rows])[:, np.newaxis]
    i, j = np.triu_indices(fit.shape[1], 1)
    first, second = places[:, i], places[:, j]
    test = compare_means(side.take(first.ravel()), side.take(second.ravel()))
    # The logarithms must point the way the means do. A pair without variation has no t and stays a tie.
    agrees = np.sign(test.t).reshape(first.shape) == np.sign(cells.mean[first] - cells.mean[second])
    apart = (holm(test.p.reshape(first.shape)) < level) & agrees
    beaten = np.where(fit[:, i] == leader, fit[:, j], np.where(fit[:, j] == leader, fit[:, i], -1))
    rows_of = zip(beaten.tolist(), apart.tolist(), strict=True)
    return [{place for place, flag in zip(own, flags, strict=True) if flag and place >= 0} for own, flags in rows_of]
