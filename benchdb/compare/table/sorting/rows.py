"""The order of a table's rows, by default or by the figures of a column. Pure functions.

Only what people see is in this order: the keys of cells, findings and charts count in the default order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.http import QueryDict

from benchdb.compare.content import Measure, Placed
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.content import TableContent, TableGroup, TablePart, TableRow, cells

SORT = "sort"  # the parameter of the query string
WORST = "-"  # before the label of a column: the worst row is the first

NumberedRow = tuple[int, TableRow]  # with its index in the content


@dataclass(frozen=True, slots=True)
class RowSort:
    """The index of the head by which rows are sorted, and whether the best row is the first."""

    head: int
    best_first: bool


def sort_of(content: TableContent) -> RowSort | None:
    """The order that the content's query selects; None for the default. Raises ImpossibleSelection."""
    text = QueryDict(content.query).get(SORT)
    if not text:
        return None
    labels = [head.label for head in content.heads]
    if text in labels:
        return RowSort(labels.index(text), best_first=True)
    label = text.removeprefix(WORST)
    if label not in labels:
        possible = f"possible are {', '.join(labels)}, and each with a minus before it"
        raise ImpossibleSelection([f"{SORT} cannot be {text!r}; {possible}."])
    return RowSort(labels.index(label), best_first=False)


def refuse_impossible_sort(content: TableContent) -> None:
    """Raise ImpossibleSelection if there is no such column, or if the rows of a part have several metrics."""
    if sort_of(content) is not None and not _has_one_metric(content):
        why = "the rows have several metrics; put the metric into the columns or the split, or choose one"
        raise ImpossibleSelection([f"{SORT} is not possible, because {why}."])


def can_sort(content: TableContent) -> bool:
    """Whether there are several rows, and their figures can be sorted."""
    return any(len(group.rows) > 1 for group in content.groups) and _has_one_metric(content)


def _has_one_metric(content: TableContent) -> bool:
    return all(len({row.metric for row in group.rows}) < 2 for group in content.groups)


def rows_as_shown(content: TableContent) -> list[Sequence[NumberedRow]]:
    """The rows of each group in the order in which they are shown."""
    sort = sort_of(content)
    return [_rows(content, sort, group) for group in content.groups]


def cells_as_shown(content: TableContent) -> Iterator[Placed]:
    """Every measured cell with its key, row by row in the order in which they are shown."""
    if sort_of(content) is None:
        yield from cells(content)
        return
    placed = {each.key: each for each in cells(content)}
    for g, rows in enumerate(rows_as_shown(content)):
        for r, row in rows:
            keys = (f"{g}-{r}-{c}" for c in range(len(row.cells)))
            yield from (placed[key] for key in keys if key in placed)


def _rows(content: TableContent, sort: RowSort | None, group: TableGroup) -> Sequence[NumberedRow]:
    numbered = list(enumerate(group.rows))
    if sort is None:
        return numbered
    measure = measure_of(content.heads[sort.head], group)
    descending = measure is not None and measure.higher_is_better == sort.best_first
    return sorted(numbered, key=partial(_rank, sort.head, content.statistic, descending))


def measure_of(head: TablePart, group: TableGroup) -> Measure | None:
    """The measure of a column in a group; all rows of the group have the same."""
    return head.measure or group.measure or next((row.measure for row in group.rows), None)


def _rank(head: int, statistic: str, descending: bool, numbered: NumberedRow) -> tuple[bool, float]:
    """Sorts by the shown statistic; a row without one is the last in both directions."""
    cell = numbered[1].cells[head]
    figure: float | None = None if cell is None else getattr(cell, statistic)
    if figure is None:
        return True, 0.0
    return False, -figure if descending else figure
