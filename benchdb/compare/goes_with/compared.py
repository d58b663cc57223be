"""Compares the sampled quantities of a cell's rivals with those of their baseline. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

import numpy as np

from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell import Cell
from benchdb.runs.totals.of_round import RoundTotals
from benchdb.runs.totals.pairs import pair_of
from benchdb.runs.totals.quantities import QUANTITIES, Quantity, Work, common_work
from benchdb.stats.arrays import FloatArray
from benchdb.stats.goes_with import ChangedQuantities, changed_quantities

Totals = Mapping[UUID, Sequence[RoundTotals]]  # by run
MOST_RIVALS = 7  # beside the baseline
DIFFERENT = ("better", "worse")


@dataclass(frozen=True, slots=True)
class ComparedQuantity:
    """A quantity of a rival and of its baseline, as means of their samples in base units, divided by `work` or `per`.

    `rank` counts from 1 if the quantity changed, and is None otherwise. `ratio` to `p_adjusted` are those of
    `ChangedQuantities`.
    """

    quantity: Quantity
    baseline: float
    rival: float
    ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class ComparedRival:
    """A rival, by its index in the grid, and its tested quantities: those that changed, by rank, then the others."""

    cell: int
    label: str
    quantities: Sequence[ComparedQuantity]

    @property
    def changed(self) -> list[ComparedQuantity]:
        return [each for each in self.quantities if each.rank is not None]


@dataclass(frozen=True, slots=True)
class ComparedRivals:
    """The rivals of a cell with their baseline, `left_out` those without samples or beyond `MOST_RIVALS`.

    `work` is that by which counters are divided on all sides.
    """

    baseline: int
    baseline_label: str
    work: Work
    rivals: Sequence[ComparedRival]
    left_out: int


def is_different(cell: Cell) -> bool:
    """Whether a difference of means or tails was shown."""
    return any(each is not None and each.kind in DIFFERENT for each in (cell.verdict, cell.tail))


def compare_rivals(table: Grid, cells: Sequence[int], totals: Totals) -> ComparedRivals | None:
    """The rivals of `cells` that have samples, the baseline first among these; None if two of them have none."""
    sampled = [(cell, rounds) for cell in cells if (rounds := _rounds(table.cells[cell], totals))]
    if len(sampled) < 2 or not table.cells[sampled[0][0]].baseline:
        return None
    (baseline, own), *others = sampled
    shown = others[:MOST_RIVALS]
    work = common_work(chain.from_iterable(chain.from_iterable([own, *(rounds for _, rounds in shown)])))
    pairs = [pair_of(rounds, own, work) for _, rounds in shown]
    rivals = [
        ComparedRival(
            cell,
            table.value_of(cell),
            [*_quantities(changed, pair.first.values, pair.second.values)],
        )
        for (cell, _), pair, changed in zip(shown, pairs, changed_quantities(pairs), strict=True)
    ]
    left_out = len(cells) - 1 - len(rivals)
    return ComparedRivals(baseline, table.value_of(baseline), work, rivals, left_out)


def _rounds(cell: Cell, totals: Totals) -> list[Sequence[RoundTotals]]:
    """The rounds of each run of a cell; [] if a run has no samples."""
    found = [totals.get(UUID(run), ()) for run in cell.runs]
    return found if all(found) else []


def _quantities(changed: ChangedQuantities, rival: FloatArray, baseline: FloatArray) -> list[ComparedQuantity]:
    """The tested quantities, those that changed first."""
    ranked = changed.ranked
    ranks = {index: rank for rank, index in enumerate(ranked, start=1)}
    others = (index for index in np.flatnonzero(~np.isnan(changed.p)).tolist() if index not in ranks)
    return [
        ComparedQuantity(
            quantity=QUANTITIES[index],
            baseline=float(np.nanmean(baseline[index])),
            rival=float(np.nanmean(rival[index])),
            ratio=float(changed.ratio[index]),
            low=float(changed.low[index]),
            high=float(changed.high[index]),
            p=float(changed.p[index]),
            p_adjusted=float(changed.p_adjusted[index]),
            rank=ranks.get(index),
        )
        for index in (*ranked, *others)
    ]
