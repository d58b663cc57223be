"""The columns of a table as pages show them: the largest differences first, and the parts of a split table beside each
other, below common heads.

So a reader sees all rivals and what tells them apart at once. Files have the order of the content, and a table for
each part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import QueryDict

from benchdb.runs.cells.cell_context import ShownCell
from benchdb.runs.cells.measured_table import (
    MeasuredRow,
    MeasuredTable,
    RowGroup,
    memory_mark,
    with_memory_in_heads,
)

from .content import TableContent
from .grid import ORDERED

MOST_COLUMNS = 18


def leading_columns(content: TableContent, table: MeasuredTable) -> MeasuredTable:
    """The table with the columns of the largest established differences first, and those that measured memory last.

    Columns that are compared with each other, that have an order of their own, or that the reader chose stay.
    """
    names, chosen = content.columns.names, QueryDict(content.query)
    if {*names} & {*content.factor.names, *ORDERED} or any(len(chosen.getlist(name)) > 1 for name in names):
        return table
    lines = [row.cells for group in table.groups for row in group.rows]
    cells_of = [[line[index] for line in lines] for index in range(len(table.columns))]
    order = sorted(range(len(cells_of)), key=lambda index: _by_difference(cells_of[index]))
    groups = [
        replace(group, rows=[replace(row, cells=[row.cells[index] for index in order]) for row in group.rows])
        for group in table.groups
    ]
    return replace(table, columns=[table.columns[index] for index in order], groups=groups)


def _by_difference(cells: Sequence[ShownCell]) -> tuple[bool, int, int]:
    steps = [cell.verdict.step for cell in cells if cell.verdict]
    return bool(memory_mark(cell.memory for cell in cells if cell.mean)), -max(steps, default=0), -sum(steps)


def side_by_side(table: MeasuredTable, labels: Sequence[str]) -> MeasuredTable:
    """The table with its parts beside each other, if they have room and the same rows; `labels` are those of
    parts that have the unit of their columns.

    Sorted rows have the order of the first part.
    """
    groups = table.groups
    names = [[row.label for row in group.rows] for group in groups]
    alike = all(set(each) == set(names[0]) for each in names) and len(labels) == len(groups)
    if len(groups) < 2 or len(groups) * len(table.columns) > MOST_COLUMNS or not alike:
        return with_memory_in_heads(table)
    rows = [{row.label: row for row in group.rows} for group in groups]
    notes = list(dict.fromkeys(group.note for group in groups))
    return with_memory_in_heads(
        replace(
            table,
            columns=[replace(column, label=label, under=column.label) for column in table.columns for label in labels],
            groups=[
                RowGroup(
                    None,
                    notes[0] if len(notes) == 1 else None,
                    [_joined([of[name] for of in rows]) for name in names[0]],
                )
            ],
        )
    )


def _joined(parts: Sequence[MeasuredRow]) -> MeasuredRow:
    """The row of all parts, column by column; hidden if all are."""
    cells = [cell for column in zip(*(part.cells for part in parts), strict=True) for cell in column]
    return replace(parts[0], cells=cells, hidden=all(part.hidden for part in parts))
