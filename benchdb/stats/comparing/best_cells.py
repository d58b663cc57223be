"""The best cells of a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.moments import moments
from benchdb.stats.trust.cache import CacheVerdict

from .cells import Cells
from .few_rounds import p_with_few_rounds, usual_by_kind, usual_of_pairs
from .looks import p_over_looks
from .multiple_testing import benjamini_hochberg
from .paired import FEWEST_CAMPAIGNS, by_campaign
from .ratio import Side, ratio_of, ratio_of_pairs
from .selective import LEVEL, OF_FAMILIES
from .verdict import NoVerdict


class NoBest(StrEnum):
    """The reason for a row without a best cell."""

    TOO_FEW_CELLS = "too_few_cells"
    """Fewer than two cells can be tested."""
    CACHE = "cache"
    """Some cells measured memory, others the device."""
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
    is corrected over all pairs of the row (Benjamini and Hochberg 1995), because the leader is chosen from the same
    data. The rows are families: those with a difference are selected first (Benjamini
    and Hochberg 1995), and in these a pair differs at `level` times their share (Benjamini and Bogomolov 2014). If the
    values of all tested cells are known and positive, the leader has the best geometric mean, else the best arithmetic
    mean, and the tests are about the same means.
    """
    side = Side.of(cells)
    columns = _Columns(cells.reasons, cells.cache, cells.mean.tolist(), side.geometric.mean.tolist())
    candidates = [_Candidates(row, columns, 1 if up else -1) for row, up in zip(rows, higher_is_better, strict=True)]
    by_size: dict[int, list[_Candidates]] = defaultdict(list)
    for row in candidates:
        if row.leader is not None:
            by_size[len(row.tested)].append(row)
    contests = [
        contest for same in by_size.values() for contest in _contests(same, side, cells)
    ]  # one size tested together
    selected = benjamini_hochberg(np.array([contest.least for contest in contests])) < OF_FAMILIES * level
    inside = level * selected.sum() / max(len(contests), 1)
    for contest, flag in zip(contests, selected.tolist(), strict=True):
        if flag:
            contest.row.worse = {i for i, p in contest.rivals if p < inside}
    return [row.best for row in candidates]


class _Columns(NamedTuple):
    """Columns of all cells as lists; `geometric` is ln of the geometric mean, NaN unless all values are positive."""

    reasons: Sequence[NoVerdict | None]
    cache: Sequence[CacheVerdict]
    mean: Sequence[float]
    geometric: Sequence[float]


class _Candidates:
    """The cells of a row that can be tested, by index in the row, and their leader; None if there can be no best."""

    def __init__(self, row: Sequence[int], columns: _Columns, sign: int) -> None:
        self.cells = row
        self.tested = [i for i, cell in enumerate(row) if columns.reasons[cell] is None]
        self.left_out = tuple(i for i, cell in enumerate(row) if columns.reasons[cell] is not None)
        self.geometric = not any(isnan(columns.geometric[row[i]]) for i in self.tested)
        self.leader: int | None = None
        self.worse: set[int] = set()  # than the leader, significantly
        self.reason = self._reason(columns, sign)
        if self.reason is None:
            figures = columns.geometric if self.geometric else columns.mean
            self.leader = max(self.tested, key=lambda i: sign * figures[row[i]])

    def _reason(self, columns: _Columns, sign: int) -> NoBest | None:
        if len(self.tested) < 2:
            return NoBest.TOO_FEW_CELLS
        absent = (NoVerdict.FAILED, NoVerdict.NOT_MEASURED, NoVerdict.COMPUTING)
        measured = {columns.cache[cell] for cell in self.cells if columns.reasons[cell] not in absent}
        if {CacheVerdict.DEVICE, CacheVerdict.CACHED} <= measured:
            return NoBest.CACHE
        best = max(sign * columns.mean[self.cells[i]] for i in self.tested)
        untested_leads = any(sign * columns.mean[self.cells[i]] > best for i in self.left_out)
        return NoBest.UNTESTED_LEADS if untested_leads else None

    @property
    def best(self) -> BestSet:
        """The set without the cells that are significantly worse than the leader."""
        members = () if self.reason else tuple(i for i in self.tested if i not in self.worse)
        return BestSet(members, self.left_out, self.reason)


class _Contest(NamedTuple):
    """A row with p of its pairs, corrected over the row: the least of all, and that of the leader with each rival."""

    row: _Candidates
    least: float
    rivals: list[tuple[int, float]]


def _contests(rows: Sequence[_Candidates], side: Side, cells: Cells) -> Iterator[_Contest]:
    """The tests of all pairs in rows of the same size."""
    tested = np.array([row.tested for row in rows])
    indices = np.array([[row.cells[i] for i in row.tested] for row in rows])
    leader = np.array([row.leader for row in rows])[:, np.newaxis]
    i, j = np.triu_indices(tested.shape[1], 1)
    geometric = np.repeat([row.geometric for row in rows], len(i))
    places = indices[:, i].ravel(), indices[:, j].ravel()
    first, second = (side.take(of_side).moments(geometric) for of_side in places)
    runs = np.minimum(*(cells.runs[of_side] for of_side in places))
    looks = np.maximum(*(cells.looks[of_side] for of_side in places))
    p = _with_pairs(ratio_of(first, second).p(), cells, places, runs)
    usual = usual_of_pairs(usual_by_kind(cells, cells), *(cells.kinds[of_side] for of_side in places))
    p = p_over_looks(p_with_few_rounds(p, first, second, runs, usual), looks)
    p = benjamini_hochberg(p.reshape(len(rows), len(i)))  # NaN without variation: a tie
    rivals = np.where(tested[:, i] == leader, tested[:, j], np.where(tested[:, j] == leader, tested[:, i], -1))
    columns = (np.fmin.reduce(p, axis=1).tolist(), rivals.tolist(), p.tolist())
    for row, least, of_pair, p_of_pair in zip(rows, *columns, strict=True):
        yield _Contest(row, least, [pair for pair in zip(of_pair, p_of_pair, strict=True) if pair[0] >= 0])


def _with_pairs(p: FloatArray, cells: Cells, places: tuple[IntArray, IntArray], runs: IntArray) -> FloatArray:
    """p of the cells at these `places`, of the paired test where both have the same campaigns; few cells have any."""
    several = (runs >= FEWEST_CAMPAIGNS).nonzero()[0]
    of_pairs = moments(by_campaign(*(cells.blocked.take(of_side[several]) for of_side in places)))
    p[several] = np.where(of_pairs.n > 0, ratio_of_pairs(of_pairs).p(), p[several])
    return p
