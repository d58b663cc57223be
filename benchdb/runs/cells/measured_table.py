"""A table of measured cells, as web/partials/table.html shows it: a run's results, a comparison, a surface."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .cell_context import MEMORY_MARKS, CellTag, ShownCell
from .panel import CellPanel
from .strips import Strip


@dataclass(frozen=True, slots=True)
class ColumnSort:
    """How a column sorts the rows: `words` (best first) and the value of `aria-sort`, "" if it does not.

    `turned` is the `sort` that its button chooses, "" for the default order; None if the column has no button.
    """

    words: str = ""
    aria: str = ""
    turned: str | None = None


@dataclass(frozen=True, slots=True)
class SortForm:
    """The form of the buttons in heads: its id, its address, and the pairs of its query string besides `sort`."""

    id: str
    action: str
    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The head of a column. `direction` is ↑ if higher is better, else ↓; `note` is beside the label.

    `under` is the label of the head above it, which it shares with its neighbours; `memory` is the mark of memory
    if all of its figures have one.
    """

    label: str
    unit: str | None
    direction: str | None
    href: str | None = None
    note: str | None = None
    sort: ColumnSort | None = None
    under: str = ""
    memory: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredRow:
    """A row with its label and a note beside the label; one without a difference may be `hidden`.

    `series` is the number of the colour and mark of the row, if it has one. Others are compared with the `baseline`.
    """

    label: str
    note: str | None
    cells: Sequence[ShownCell]
    hidden: bool = False
    series: int | None = None
    baseline: bool = False


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows with a common label and note; None if the table has a single group."""

    label: str | None
    note: str | None
    rows: Sequence[MeasuredRow]


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """The context of web/partials/table.html: `id` is unique on the page, `label` is for screen readers.

    `row_head` is the head of the rows' labels. `details` are the panels by the `detail` of their cells. A table with
    many cells has instead the address `panels`, where the server has those of one row. `sorting` is the form of buttons
    in the heads; None if the rows cannot be sorted.
    """

    id: str
    label: str
    row_head: str
    columns: Sequence[TableColumn]
    groups: Sequence[RowGroup]
    details: Mapping[str, CellPanel] = field(default_factory=dict)
    panels: str = ""
    sorting: SortForm | None = None

    @property
    def strips(self) -> list[Strip]:
        """The strips of its cells."""
        return [cell.strip for group in self.groups for row in group.rows for cell in row.cells if cell.strip]


def with_memory_in_heads(table: MeasuredTable) -> MeasuredTable:
    """The table with the mark of memory in the heads of columns in which all cells have it, and no longer in these."""
    lines = [row.cells for group in table.groups for row in group.rows]
    memory = [
        memory_mark(line[index].memory for line in lines if line[index].mean) for index in range(len(table.columns))
    ]
    if not any(memory):
        return table
    columns = [replace(column, memory=flag) for column, flag in zip(table.columns, memory, strict=True)]
    groups = [
        replace(
            group,
            rows=[
                replace(
                    row, cells=[_unmarked(cell) if flag else cell for cell, flag in zip(row.cells, memory, strict=True)]
                )
                for row in group.rows
            ],
        )
        for group in table.groups
    ]
    return replace(table, columns=columns, groups=groups)


def memory_mark(marks: Iterable[str]) -> str:
    """The mark of figures that all measured memory, from those of each; "" if one did not, or there is none."""
    found = set(marks) or {""}
    return "" if "" in found else found.pop() if len(found) == 1 else MEMORY_MARKS["mixed"]


def _unmarked(cell: ShownCell) -> ShownCell:
    tags: list[CellTag] = [tag for tag in cell.tags if tag.text != cell.memory]
    return cell if len(tags) == len(cell.tags) else replace(cell, tags=tags)
