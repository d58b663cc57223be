"""The best cells of a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from .cells import Cells
from .log_means import Side, compare_means
from .multiple_testing import holm
from .verdict import NoVerdict

LEVEL = 0.05


class NoBest(StrEnum):
    """The reason for a row without a best cell."""

    TOO_FEW_CELLS = "too_few_cells"
    """Fewer than two cells can be tested."""
    UNTESTED_LEADS = "untested_leads"
    """A cell that cannot be tested (one value, no sd, clock too coarse) has the best mean."""


@dataclass(frozen=True, slots=True)
class BestSet:
    """Indices of cells in the row, ascending.

    `members` is the one cell that is significantly better than every other tested cell, or the leader with all cells
    not significantly worse; empty if there is a `reason`. `left_out` could not be tested.
    """

    members: tuple[int, ...]
    left_out: tuple[int, ...]
    reason: NoBest | None = None


def best_sets(
    cells: Cells, rows: Sequence[Sequence[int]], higher_is_better: Sequence[bool], *, level: float = LEVEL
) -> list[BestSet]:
    """The best cell or the tie for best of each row; all cells of a row have the same test and metric.

    A row is a list of indices of `cells`; its set has indices of the row. Every pair is tested as in `compare`, and p
    is corrected over all pairs of the row (Holm 1979): the leader is chosen from the same data, so only tests of all
    pairs keep the promised error rate.
    """
    reasons, means = cells.reasons, cells.mean.tolist()
    candidates = [
        _Candidates(row, reasons, means, 1 if up else -1) for row, up in zip(rows, higher_is_better, strict=True)
    ]
    worse: dict[int, set[int]] = {}
    by_size: dict[int, list[int]] = defaultdict(list)
    for i, row in enumerate(candidates):
        if row.leader is not None:
            by_size[len(row.tested)].append(i)
    side = Side.of(cells)
    for rows_of_one_size in by_size.values():  # tested together
        beaten = _worse_than_leader([candidates[i] for i in rows_of_one_size], side, cells, level)
        worse.update(zip(rows_of_one_size, beaten, strict=True))
    return [row.without(worse.get(i, set())) for i, row in enumerate(candidates)]


class _Candidates:
    """The cells of a row that can be tested, by index in the row, and their leader; None if there can be no best."""

    def __init__(
        self, row: Sequence[int], reasons: Sequence[NoVerdict | None], means: Sequence[float], sign: int
    ) -> None:
        self.cells = row
        self.tested = [i for i, cell in enumerate(row) if reasons[cell] is None]
        self.left_out = tuple(i for i, cell in enumerate(row) if reasons[cell] is not None)
        self.leader: int | None = None
        self.reason: NoBest | None = NoBest.TOO_FEW_CELLS
        if len(self.tested) < 2:
            return
        self.leader = max(self.tested, key=lambda i: sign * means[row[i]])
        best = sign * means[row[self.leader]]
        self.reason = NoBest.UNTESTED_LEADS if any(sign * means[row[i]] > best for i in self.left_out) else None
        self.leader = None if self.reason else self.leader

    def without(self, worse: set[int]) -> BestSet:
        """The set without the cells that are significantly worse than the leader."""
        members = () if self.reason else tuple(i for i in self.tested if i not in worse)
        return BestSet(members, self.left_out, self.reason)


def _worse_than_leader(rows: Sequence[_Candidates], side: Side, cells: Cells, level: float) -> list[set[int]]:
    """For each row the indices of the cells significantly worse than its leader; all rows have the same size."""
    tested = np.array([row.tested for row in rows])
    indices = np.array([[row.cells[i] for i in row.tested] for row in rows])
    leader = np.array([row.leader for row in rows])[:, np.newaxis]
    i, j = np.triu_indices(tested.shape[1], 1)
    first, second = indices[:, i], indices[:, j]
    test = compare_means(side.take(first.ravel()), side.take(second.ravel()))
    # The logarithms must agree with the means in direction. A pair without variation has no t and is a tie.
    agrees = np.sign(test.t).reshape(first.shape) == np.sign(cells.mean[first] - cells.mean[second])
    different = (holm(test.p.reshape(first.shape)) < level) & agrees
    rivals = np.where(tested[:, i] == leader, tested[:, j], np.where(tested[:, j] == leader, tested[:, i], -1))
    rows_of_pairs = zip(rivals.tolist(), different.tolist(), strict=True)
    return [{i for i, flag in zip(rival, flags, strict=True) if flag and i >= 0} for rival, flags in rows_of_pairs]
