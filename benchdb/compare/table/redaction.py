"""Removes the figures of deleted runs from the content of a table. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np

from benchdb.runs.cells.cell import Cell, CellText
from benchdb.runs.cells.clock_and_cache import CellCache, CellClock
from benchdb.runs.cells.verdict import CellVerdict

from .content import GoesWith, TableContent, TableGroup
from .grid import grid_of

DELETED_TEXT = "The run was deleted."
NO_VERDICT = CellVerdict(
    kind="none",
    reason="deleted",
    ratio=None,
    low=None,
    high=None,
    ratio_of_means=None,
    p=None,
    p_of_claims=None,
    p_adjusted=None,
    rounds_for_precision=None,
    method=None,
    warnings=[],
    change="",
    why="The run that it was compared with was deleted.",
)


def without_runs(content: TableContent, deleted: Collection[str]) -> TableContent | None:
    """The table without the figures of the runs in `deleted` (their ids); None if no cell keeps a figure."""
    table = grid_of(content)
    emptied = np.array([any(run in deleted for run in cell.runs) for cell in table.cells], dtype=bool)
    baseline = np.array([cell.baseline for cell in table.cells], dtype=bool)
    unjudged = np.isin(table.place, table.place[emptied & baseline])
    opened = np.isin(table.place, table.place[emptied])  # a mark as the best of rivals rested on all of them
    flags = zip(table.cells, emptied.tolist(), unjudged.tolist(), opened.tolist(), strict=True)
    left = [_empty(cell) if gone else _judged_anew(cell, *rests) for cell, gone, *rests in flags]
    if all(cell.status == "deleted" for cell in left):
        return None
    cells = iter(left)
    of_group = {*table.at[emptied, 0].tolist()}
    return replace(
        content,
        groups=[_group(group, cells, counted=g not in of_group) for g, group in enumerate(content.groups)],
        findings=[],  # each was chosen and worded with all cells
        geometric_means=[],  # each is computed from whole rows and from the baseline's
        across_machines=[],
        warnings=[],  # computed from all runs
        goes_with=_goes_with(content.goes_with, deleted),
    )


def _goes_with(goes_with: GoesWith | None, deleted: Collection[str]) -> GoesWith | None:
    """The pairs without deleted runs; None if none is left."""
    pairs = [pair for pair in goes_with.pairs if not any(run in deleted for run in pair.runs)] if goes_with else []
    return replace(goes_with, pairs=pairs) if goes_with and pairs else None


def _group(group: TableGroup, cells: Iterator[Cell], *, counted: bool) -> TableGroup:
    """The group with these cells in reading order; the number of its repetitions is gone if a cell is emptied."""
    rows = [replace(row, cells=[cell and next(cells) for cell in row.cells]) for row in group.rows]
    return replace(group, n=group.n if counted else "", rows=rows)


def _judged_anew(cell: Cell, unjudged: bool, opened: bool) -> Cell:
    """The cell, without a verdict against an emptied baseline or a mark as the best of emptied rivals."""
    none = unjudged and cell.verdict is not None
    return replace(
        cell,
        verdict=NO_VERDICT if none else cell.verdict,
        tail=None if none else cell.tail,
        best=cell.best and not opened,
    )


def _empty(cell: Cell) -> Cell:
    """A deleted cell: only the quantity is left of it."""
    return Cell(
        status="deleted",
        error=None,
        n=None,
        mean=None,
        sd=None,
        median=None,
        minimum=None,
        maximum=None,
        low=None,
        high=None,
        median_low=None,
        median_high=None,
        text=CellText("", "", "", ""),
        values=None,
        outliers=[],
        warnings=[],
        runs=[],
        ordinals=[],
        places=[],
        test=cell.test,
        metric=cell.metric,
        file_size=cell.file_size,
        record_size=cell.record_size,
        threads=cell.threads,
        params=cell.params,
        clock=CellClock("unknown", None, DELETED_TEXT),
        cache=CellCache("unknown", None, {}, DELETED_TEXT),
        baseline=cell.baseline,
    )
