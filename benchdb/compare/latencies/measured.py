"""The distributions behind a cell and its rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell import Cell
from benchdb.runs.distributions.reading import PackedRounds
from benchdb.runs.distributions.section import SHARES
from benchdb.stats.arrays import FloatArray
from benchdb.stats.distributions.percentiles import (
    Distribution,
    PercentileBounds,
    distribution_of,
    interval,
    shown_shares,
    together,
)
from benchdb.wording.colours import MOST_COLOURS, colours

MOST_CURVES = MOST_COLOURS

Distributions = Mapping[tuple[UUID, int], PackedRounds]


@dataclass(frozen=True, slots=True)
class MeasuredRival:
    """A rival with its colour, the distributions of its results, and all of their rounds in one distribution."""

    cell: Cell
    label: str
    series: int
    results: Sequence[PackedRounds]
    distribution: Distribution


@dataclass(frozen=True, slots=True)
class RivalPercentiles:
    """The percentiles of all rounds of a rival together: shares, latencies in seconds, and their 95 % intervals.

    There are no intervals for several runs, nor for few rounds.
    """

    shares: Sequence[float]
    latency: FloatArray
    bounds: PercentileBounds | None


def results_of(cell: Cell) -> list[tuple[UUID, int]]:
    """The results behind a cell, by run and ordinal."""
    return [(UUID(run), ordinal) for run, ordinal in zip(cell.runs, cell.ordinals, strict=True)]


def measured_rivals(table: Grid, cells: Sequence[int], distributions: Distributions) -> list[MeasuredRival]:
    """Those of the cells that have distributions, at most `MOST_CURVES`, in the same order."""
    measured = [cell for cell in cells if all(each in distributions for each in results_of(table.cells[cell]))]
    labels = [table.value_of(cell) for cell in measured[:MOST_CURVES]]
    found = []
    for cell, label, series in zip(measured[:MOST_CURVES], labels, colours(labels), strict=True):
        results = [distributions[each] for each in results_of(table.cells[cell])]
        found.append(
            MeasuredRival(table.cells[cell], label, series, results, distribution_of([*chain.from_iterable(results)]))
        )
    return found


def percentiles_of(rival: MeasuredRival) -> RivalPercentiles:
    """The percentiles of `SHARES` that enough operations are slower than, at least the first."""
    distribution = rival.distribution
    shares = shown_shares(int(distribution.operations.sum()), SHARES) or [SHARES[0]]
    bounds = interval(distribution, shares) if len(rival.results) == 1 else None
    return RivalPercentiles(shares, together(distribution, shares), bounds)
