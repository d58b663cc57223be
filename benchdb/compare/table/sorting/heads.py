"""The heads of a table as buttons that sort its rows. Pure functions."""

from __future__ import annotations

from benchdb.compare.table.content import TableContent
from benchdb.runs.cells.measured_table import ColumnSort

from .rows import WORST, RowSort, can_sort, measure_of, sort_of


def sorts_of_heads(content: TableContent) -> list[ColumnSort | None]:
    """How each column sorts the rows now, and after a press of its button; None if the rows cannot be sorted."""
    if not can_sort(content):
        return [None] * len(content.heads)
    sort = sort_of(content)
    return [
        _sorted(content, sort, head.label) if sort is not None and sort.head == index else ColumnSort(turned=head.label)
        for index, head in enumerate(content.heads)
    ]


def _sorted(content: TableContent, sort: RowSort, label: str) -> ColumnSort:
    """The column by which the rows are sorted."""
    if sort.best_first:
        return ColumnSort("best first", _direction(content, sort), f"{WORST}{label}")
    return ColumnSort("worst first", _direction(content, sort), "")


def _direction(content: TableContent, sort: RowSort) -> str:
    """The value of `aria-sort`; `other` if the parts of the table have figures of different directions."""
    measures = [measure_of(content.heads[sort.head], group) for group in content.groups]
    descending = {measure.higher_is_better == sort.best_first for measure in measures if measure is not None}
    return "other" if len(descending) > 1 else "descending" if descending == {True} else "ascending"
