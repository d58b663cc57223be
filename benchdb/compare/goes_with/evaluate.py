"""Evaluates what goes with the differences of one cell of a table."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.http import Http404, QueryDict

from benchdb.compare.content_json import current
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import Grid, grid_of
from benchdb.compare.table.sorting.differing import SHOW
from benchdb.http.requests import Reader
from benchdb.runs.costs import before_totals
from benchdb.runs.store.round_totals import totals_of_runs

from .compared import MOST_RIVALS, ComparedRivals, compare_rivals


class CellGoesWith(NamedTuple):
    """The table, the compared rivals of the chosen cell, and the query of the table."""

    table: Grid
    compared: ComparedRivals
    query: str


def compared_cell(asked: QueryDict, reader: Reader) -> CellGoesWith:
    """What goes with the differences of a cell and its rivals: the query of their table, and `cell`, the cell's key.

    Raises ImpossibleSelection; LeftToWorker; MustWait; and Http404 if the table has no such cell, or fewer than two of
    the rivals have samples of the machine.
    """
    query = asked.copy()
    key = "".join(query.pop(CHOSEN, [])[-1:])
    query.pop(SHOW, None)
    content = current("table", query, reader)
    assert isinstance(content, TableContent)
    table = grid_of(content)
    rivals = table.rivals_of(key)
    if not rivals or not table.cells[rivals[0]].baseline:
        raise Http404
    # The chosen cell is among those that are compared, however many there are.
    shown = list(dict.fromkeys([rivals[0], table.index[key], *rivals]))
    cells = [table.cells[cell] for cell in shown[: MOST_RIVALS + 1]]
    before_totals(sum(len(cell.runs) * len(cell.values or []) for cell in cells))
    compared = compare_rivals(table, shown, totals_of_runs({UUID(run) for cell in cells for run in cell.runs}))
    if compared is None or not compared.rivals:
        raise Http404
    return CellGoesWith(table, compared, query.urlencode())
