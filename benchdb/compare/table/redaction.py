"""Removes the figures of deleted runs from the content of a table. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

from benchdb.runs.cells.cell import Cell, CellText
from benchdb.runs.cells.clock_and_cache import CellCache, CellClock
from benchdb.runs.cells.verdict import CellVerdict

from .content import GoesWith, TableContent, TableGroup

CellPosition = tuple[int, int, int]  # group, row, column

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


@dataclass(frozen=True)
class _Affected:
    """The cells that change when runs are deleted.

    `emptied` are the cells with figures of a deleted run. `unjudged` are the contests whose baseline is emptied, `open`
    those in which any rival is emptied.
    """

    emptied: set[CellPosition]
    contest_of: Callable[[CellPosition], Hashable]
    unjudged: set[Hashable]
    open: set[Hashable]


def without_runs(content: TableContent, deleted: Collection[str]) -> TableContent | None:
    """The table without the figures of the runs in `deleted` (their ids); None if no cell keeps a figure."""
    cells = {position: cell for position, cell in _cells(content) if cell is not None}
    affected = _affected(content, cells, deleted)
    left = replace(
        content,
        groups=[_group(group, g, affected) for g, group in enumerate(content.groups)],
        findings=[],  # each was chosen and worded with all cells
        geometric_means=[],  # each is computed from whole rows and from the baseline's
        across_machines=[],
        warnings=[],  # computed from all runs
        goes_with=_goes_with(content.goes_with, deleted),
    )
    return left if any(cell is not None and cell.status != "deleted" for _, cell in _cells(left)) else None


def _goes_with(goes_with: GoesWith | None, deleted: Collection[str]) -> GoesWith | None:
    """The pairs without deleted runs; None if none is left."""
    pairs = [pair for pair in goes_with.pairs if not any(run in deleted for run in pair.runs)] if goes_with else []
    return replace(goes_with, pairs=pairs) if goes_with and pairs else None


def _affected(content: TableContent, cells: Mapping[CellPosition, Cell], deleted: Collection[str]) -> _Affected:
    emptied = {position for position, cell in cells.items() if any(run in deleted for run in cell.runs)}
    contest_of = _contests(content)
    return _Affected(
        emptied,
        contest_of,
        unjudged={contest_of(position) for position in emptied if cells[position].baseline},
        open={contest_of(position) for position in emptied},
    )


def _group(group: TableGroup, g: int, affected: _Affected) -> TableGroup:
    """The group; the number of its repetitions is gone if a cell is emptied."""
    rows = [
        replace(row, cells=[_cell(cell, (g, r, c), affected) for c, cell in enumerate(row.cells)])
        for r, row in enumerate(group.rows)
    ]
    counted = all(position[0] != g for position in affected.emptied)
    return replace(group, n=group.n if counted else "", rows=rows)


def _cell(cell: Cell | None, position: CellPosition, affected: _Affected) -> Cell | None:
    """The cell, emptied, or without a verdict against an emptied baseline or a mark as the best of emptied rivals."""
    if cell is None or position in affected.emptied:
        return cell and _empty(cell)
    contest = affected.contest_of(position)
    unjudged = cell.verdict is not None and contest in affected.unjudged
    return replace(
        cell,
        verdict=NO_VERDICT if unjudged else cell.verdict,
        tail=None if unjudged else cell.tail,
        best=cell.best and contest not in affected.open,
    )


def _cells(content: TableContent) -> Iterator[tuple[CellPosition, Cell | None]]:
    for g, group in enumerate(content.groups):
        for r, row in enumerate(group.rows):
            for c, cell in enumerate(row.cells):
                yield (g, r, c), cell


def _contests(content: TableContent) -> Callable[[CellPosition], Hashable]:
    """A function that returns all of a position but the factor's value: equal for rivals, whatever the axes."""
    groups, heads, factor = content.groups, content.heads, set(content.factor.names)

    def contest_of(position: CellPosition) -> Hashable:
        group, row, column = position
        parts = (groups[group].parts, groups[group].rows[row].parts, heads[column].parts)
        return frozenset(item for labels in parts for item in labels.items() if item[0] not in factor)

    return contest_of


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
