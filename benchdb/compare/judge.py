"""Verdicts against the baseline and best sets, written into the cells of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchdb.runs.cells import Cell
from benchdb.runs.numbers import say_change
from benchdb.runs.warnings import said
from benchdb.stats import Cells, ComparisonRow, NoVerdict, best_set, compare

from .pivot import Grid
from .reasons import why

# Best is decided over all pairs; among so many rivals that is as slow as it is hard to read.
MOST_RIVALS = 40


def judge(grid: Grid, baseline: int, *, higher_is_better: bool) -> None:
    """Give every cell its `verdict` against the baseline's cell of the same split and column, and mark the `best`.

    All verdicts of the table are one family for the correction of p. Best is decided along the rows, apart for each
    split and column, because the rows are what the comparison varies on purpose.
    """
    pairs: list[tuple[Cell, Cell]] = []
    for rows in grid.cells:
        for column in range(len(grid.column_labels)):
            rivals = [row[column] for row in rows]
            _mark_best([cell for cell in rivals if cell is not None], higher_is_better)
            against = rivals[baseline]
            if against is not None:
                pairs += [(c, against) for i, c in enumerate(rivals) if c is not None and i != baseline]
    if not pairs:
        return
    compared = compare(
        stack([cell for cell, _ in pairs]), stack([against for _, against in pairs]), higher_is_better=higher_is_better
    )
    for (cell, _), row in zip(pairs, compared.rows(), strict=True):
        cell["verdict"] = _verdict(row, several_runs=len(cell["runs"]) > 1)


def _mark_best(rivals: Sequence[Cell], higher_is_better: bool) -> None:
    if not 2 <= len(rivals) <= MOST_RIVALS:
        return
    found = best_set(stack(rivals), higher_is_better=higher_is_better)
    for place in found.members:
        # All rivals tied is no news: nobody is marked.
        rivals[place]["best"] = len(found.members) < len(rivals)


def stack(cells: Sequence[Cell]) -> Cells:
    """Cells of a table as columns for `benchdb.stats`."""
    width = max(len(cell["values"] or []) for cell in cells)
    values = np.full((len(cells), width), np.nan)
    for row, cell in zip(values, cells, strict=True):
        known = cell["values"] or []
        row[: len(known)] = np.array(known, dtype=float)
    return Cells.of_moments(
        [cell["n"] or 0 for cell in cells],
        _column(cells, "mean"),
        _column(cells, "sd"),
        values=values,
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
    return np.array([np.nan if cell[name] is None else cell[name] for cell in cells], dtype=float)


def _verdict(row: ComparisonRow, *, several_runs: bool) -> dict[str, Any]:
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
        "change": say_change(row.ratio),
        "why": why(row, "run" if several_runs else "round"),
    }
