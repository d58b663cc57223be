"""Verdicts against the baseline and best sets, written into the cells of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from benchdb.compare.query.selection import MARGIN
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.warnings import with_sentence
from benchdb.stats import Cells, ComparisonRow, Comparisons, Correction, NoVerdict, compare, matrix
from benchdb.wording.numbers import say_change

from .sentences import why

LEVEL = 0.05


CellPair = tuple[Cell, Cell]  # a cell and its baseline
Sides = tuple[Cells, Cells]  # the first cells of pairs, and the second


class Stacked:
    """Cells of a table as columns for `benchdb.stats`; each cell is converted once, for any number of tests."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        once = {id(cell): cell for cell in cells}
        self._cells = list(once.values())  # kept, so that nothing else gets their ids
        self._places = {cell_id: index for index, cell_id in enumerate(once)}
        self.columns = stack(self._cells)

    def places(self, cells: Iterable[Cell]) -> list[int]:
        """The indices of these cells in `columns`. Raises KeyError for a cell that is not in them."""
        return [self._places[id(cell)] for cell in cells]

    def sides(self, pairs: Sequence[CellPair]) -> Sides:
        """The first cells of these pairs, and the second."""
        first, second = (self.columns.take(self.places(pair[side] for pair in pairs)) for side in (0, 1))
        return first, second


def judge_pairs(pairs: Sequence[CellPair], *, higher_is_better: npt.ArrayLike, margin: float = MARGIN) -> None:
    """Give the first cell of each pair its `verdict` against the second; all verdicts are one family."""
    sides = Stacked(cell for pair in pairs for cell in pair).sides(pairs)
    judge_sides(pairs, sides, higher_is_better, margin=margin)


def judge_sides(
    pairs: Sequence[CellPair],
    sides: Sides,
    higher_is_better: npt.ArrayLike,
    *,
    margin: float,
    correction: str = Correction.BENJAMINI_HOCHBERG,
) -> Comparisons:
    """Like `judge_pairs`, for pairs with their `sides` as columns; returns the comparisons in order of the pairs."""
    compared = compare(
        *sides, higher_is_better=higher_is_better, margin=margin, level=LEVEL, correction=Correction(correction)
    )
    for (cell, _), row in zip(pairs, compared.rows(), strict=True):
        cell["verdict"] = _verdict(row, several_runs=len(cell["runs"]) > 1)
    return compared


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
        "warnings": [with_sentence(warning) for warning in row.warnings],
        "change": change,
        "why": why(row, change, "run" if several_runs else "round"),
    }
