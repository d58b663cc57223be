"""The parts of a split table beside each other: a column for each column of each part, below common heads.

So a reader sees all rivals and all their figures at once. Pages only; files have a table for each part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, with_memory_in_heads

MOST_COLUMNS = 18


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
