"""Evaluates the distributions behind one cell of a table and its rivals."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, QueryDict

from benchdb.compare.content_json import current
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import Grid, grid_of
from benchdb.compare.table.sorting.differing import SHOW
from benchdb.http.requests import Reader
from benchdb.runs.costs import before_distributions
from benchdb.runs.distributions.reading import distributions_of

from .measured import MOST_CURVES, MeasuredRival, measured_rivals, results_of


class CellLatencies(NamedTuple):
    """The table, the chosen cell and its rivals, those that have distributions, and the table's query."""

    table: Grid
    cells: list[int]
    rivals: list[MeasuredRival]
    query: str


def measured_cell(asked: QueryDict, reader: Reader) -> CellLatencies:
    """The distributions of a cell and its rivals: the query of their table, and `cell`, the cell's key.

    Raises ImpossibleSelection; LeftToWorker; MustWait; and Http404 if the table has no such cell, or no rival has
    distributions.
    """
    query = asked.copy()
    key = "".join(query.pop(CHOSEN, [])[-1:])
    query.pop(SHOW, None)
    content = current("table", query, reader)
    assert isinstance(content, TableContent)
    table = grid_of(content)
    cells = table.rivals_of(key)
    before_distributions(sum(len(table.cells[cell].values or []) for cell in cells[:MOST_CURVES]))
    results = [result for cell in cells for result in results_of(table.cells[cell])]
    rivals = measured_rivals(table, cells, distributions_of(results) if results else {})
    if not rivals:
        raise Http404
    return CellLatencies(table, cells, rivals, query.urlencode())
