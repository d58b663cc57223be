"""Verdicts against the baseline and best sets, written into the cells of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchagent.formats.vocabulary import METRICS
from benchdb.runs.cells import Cell
from benchdb.runs.numbers import say_change
from benchdb.runs.warnings import said
from benchdb.stats import Cells, ComparisonRow, Comparisons, Correction, NoVerdict, best_sets, compare, matrix

from .factor import Factor
from .geometric import geometric_means
from .pivot import Grid, Key
from .reasons import why
from .selection import MARGIN

LEVEL = 0.05
# Best is decided over all pairs; among more rivals that is as slow as it is hard to read.
MOST_RIVALS = 200

Pair = tuple[Cell, Cell]  # a cell and its baseline
Sides = tuple[Cells, Cells]  # the first cells of pairs, and the second


class Stacked:
    """Cells of a table as columns for `benchdb.stats`: each is looked at once, however many tests it takes part in."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        once = {id(cell): cell for cell in cells}
        self._cells = list(once.values())  # kept, so that nothing else gets their ids
        self._places = {own: place for place, own in enumerate(once)}
        self.columns = stack(self._cells)

    def places(self, cells: Iterable[Cell]) -> list[int]:
        """Where these cells stand in `columns`. Raises KeyError for a cell that is not among them."""
        return [self._places[id(cell)] for cell in cells]

    def sides(self, pairs: Sequence[Pair]) -> Sides:
        """The first cells of these pairs, and the second."""
        first, second = (self.columns.take(self.places(pair[side] for pair in pairs)) for side in (0, 1))
        return first, second


def judge(
    grid: Grid,
    stacked: Stacked,
    factor: Factor,
    baseline: Key,
    *,
    margin: float = MARGIN,
    correction: str = "benjamini_hochberg",
) -> list[dict[str, Any]]:
    """Give every cell its `verdict` against its rival with the baseline's value, mark the `best` of the rivals.

    `stacked` are the grid's cells. All verdicts of the table are one family for the correction of p. Returns the
    geometric means of the ratios.
    """
    pairs: list[Pair] = []
    values: list[Key] = []
    beside: list[Key] = []
    contests: list[list[Cell]] = []
    for others, places in factor.rivals.items():
        rivals = {factor.of[place]: grid.cells[place] for place in places if place in grid.cells}
        contests.append(list(rivals.values()))
        against = rivals.pop(baseline, None)
        if against is None:
            continue
        against["baseline"] = True
        pairs += [(cell, against) for cell in rivals.values()]
        values += rivals
        beside += [others] * len(rivals)
    _mark_best(contests, stacked)
    if not pairs:
        return []
    upward = [METRICS[cell["metric"]].higher_is_better for cell, _ in pairs]
    sides = stacked.sides(pairs)
    compared = _judge(pairs, sides, upward, margin=margin, correction=correction)
    return geometric_means(pairs, sides, compared, upward, values, beside, factor.labels)


def judge_pairs(pairs: Sequence[Pair], *, higher_is_better: npt.ArrayLike, margin: float = MARGIN) -> None:
    """Give the first cell of each pair its `verdict` against the second; all of them are one family."""
    sides = Stacked(cell for pair in pairs for cell in pair).sides(pairs)
    _judge(pairs, sides, higher_is_better, margin=margin)


def _judge(
    pairs: Sequence[Pair],
    sides: Sides,
    higher_is_better: npt.ArrayLike,
    *,
    margin: float,
    correction: str = Correction.BENJAMINI_HOCHBERG,
) -> Comparisons:
    compared = compare(
        *sides, higher_is_better=higher_is_better, margin=margin, level=LEVEL, correction=Correction(correction)
    )
    for (cell, _), row in zip(pairs, compared.rows(), strict=True):
        cell["verdict"] = _verdict(row, several_runs=len(cell["runs"]) > 1)
    return compared


def _mark_best(contests: Sequence[Sequence[Cell]], stacked: Stacked) -> None:
    fought = [rivals for rivals in contests if 2 <= len(rivals) <= MOST_RIVALS]
    rows = [stacked.places(rivals) for rivals in fought]
    upward = [METRICS[rivals[0]["metric"]].higher_is_better for rivals in fought]
    for rivals, found in zip(fought, best_sets(stacked.columns, rows, upward), strict=True):
        # All that could be tested tie: that is no news, and those that could not be are no worse. Nobody is marked.
        if len(found.members) + len(found.left_out) < len(rivals):
            for place in found.members:
                rivals[place]["best"] = True


def stack(cells: Sequence[Cell]) -> Cells:
    """Cells of a table as columns for `benchdb.stats`."""
    return Cells.of_moments(
        [cell["n"] or 0 for cell in cells],
        _column(cells, "mean"),
        _column(cells, "sd"),
        values=matrix([cell["values"] or [] for cell in cells]),
        barred=[_barred(cell) for cell in cells],
        runs=[len(cell["runs"]) for cell in cells],
    )


def _barred(cell: Cell) -> NoVerdict | None:
    if cell["status"] == "failed":
        return NoVerdict.FAILED
    if (cell.get("clock") or {}).get("verdict") == "unusable":
        return NoVerdict.CLOCK
    return None


def _column(cells: Sequence[Cell], name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([cell[name] for cell in cells], dtype=float)  # None becomes NaN


def _verdict(row: ComparisonRow, *, several_runs: bool) -> dict[str, Any]:
    change = say_change(row.ratio)
    return {
        "kind": row.verdict.value,
        "reason": row.reason and row.reason.value,
        "ratio": row.ratio,
        "low": row.low,
        "high": row.high,
        "p": row.p,
        "p_adjusted": row.p_adjusted,
        "further_rounds": row.further_rounds,
        "method": row.method.value,
        "warnings": [said(warning) for warning in row.warnings],
        "change": change,
        "why": why(row, change, "run" if several_runs else "round"),
    }
