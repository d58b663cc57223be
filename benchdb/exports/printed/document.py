"""A content as people read it: grids of printed cells with findings, notes and method.

The formats for people (Markdown, HTML, TeX, BBCode) write this document, so that all of them have the digits and marks
of the page. All text is clean (`exports.text.clean`) and not yet escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchagent.verdicts import VERDICTS
from benchdb.compare.page_parts.differences import ShownDifference
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import QUIET, ShownCell, ShownVerdict, warnings_of
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable
from benchdb.wording.clean import clean

WORDS = {"unmeasurable": "too fast", "missing": "", "deleted": "deleted"}
MOST_WARNINGS = 20
BEST = "{best}"  # in the legend; a format replaces it by its way to set off the best


@dataclass(frozen=True)
class PrintedCell:
    """A cell of a grid. Without a number `mean` is "", and `words` give the reason unless nothing was measured."""

    mean: str = ""
    sd: str = ""
    words: str = ""
    mark: str = ""  # ▲ 8 % faster
    tags: tuple[str, ...] = ()  # RAM, CLK, !
    best: bool = False

    @property
    def marks(self) -> str:
        """Verdict and tags behind the number: `▲ 8 % faster RAM`."""
        return " ".join(filter(None, [self.mark, *self.tags]))


@dataclass(frozen=True)
class ColumnHead:
    """The head of a column; `unit` is `MiB/s ↑`, or "" if the rows have units."""

    label: str
    unit: str = ""

    @property
    def text(self) -> str:
        """Label and unit in one line."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True)
class PrintedRow:
    """A row with its label and a note beside the label (`baseline`, a unit)."""

    label: str
    note: str
    cells: Sequence[PrintedCell]


@dataclass(frozen=True)
class PrintedGrid:
    """One table of figures; `label` and `note` ("1 MiB records", "n = 10 rounds") may be empty."""

    label: str
    note: str
    corner: str
    heads: Sequence[ColumnHead]
    rows: Sequence[PrintedRow]

    @property
    def caption(self) -> str:
        """`1 MiB records, n = 10 rounds`."""
        return ", ".join(filter(None, [self.label, self.note]))


@dataclass(frozen=True)
class PrintedDocument:
    """The whole document in reading order; only `grids` is never empty."""

    title: str
    subtitle: str
    warnings: Sequence[str]
    findings: Sequence[str]
    differences: Sequence[str]
    grids: Sequence[PrintedGrid]
    notes: Sequence[str]
    legend: Sequence[str]
    method: Sequence[str]


def grids_of(table: MeasuredTable) -> list[PrintedGrid]:
    """The grids of a table as the page shows it: one a group."""
    heads = [
        ColumnHead(clean(column.label), clean(" ".join(filter(None, [column.unit, column.direction]))))
        for column in table.columns
    ]
    return [
        PrintedGrid(
            clean(group.label or ""),
            clean(group.note or ""),
            clean(table.row_head),
            heads,
            [_row(row) for row in group.rows],
        )
        for group in table.groups
    ]


def _row(row: MeasuredRow) -> PrintedRow:
    return PrintedRow(clean(row.label), clean(row.note or ""), [printed_cell(cell) for cell in row.cells])


def printed_cell(shown: ShownCell) -> PrintedCell:
    """The cell as the page shows it."""
    if not shown.mean:
        words = shown.message if shown.status in ("failed", "mixed") else WORDS.get(shown.status, "…")
        return PrintedCell(words=clean(words))
    tags = tuple(tag.text for tag in shown.tags)
    sd = f"± {shown.sd}" if shown.sd else "n = 1" if shown.single else ""
    return PrintedCell(clean(shown.mean), clean(sd), "", _mark(shown.verdict), tags, shown.best)


def _mark(verdict: ShownVerdict | None) -> str:
    return "" if verdict is None else f"{VERDICTS[verdict.kind].sign} {verdict.text}".rstrip()


def cell_notes(cells: Sequence[tuple[str, Cell]]) -> list[str]:
    """The warnings of cells with a `!`, one text a cell: `! xfs · Write: Outlier: round 3. …`."""
    notes = [
        clean(f"! {name}: {' '.join(texts)}")
        for name, cell in cells
        if (texts := [warning.text for warning in warnings_of(cell) if warning.code not in QUIET])
    ]
    if len(notes) > MOST_WARNINGS:
        return [
            *notes[:MOST_WARNINGS],
            f"! {len(notes) - MOST_WARNINGS} more cells have warnings; the page names them.",
        ]
    return notes


def difference_notes(differences: Sequence[ShownDifference]) -> list[str]:
    """`read-ahead: 128 KiB (btrfs), 2 MiB (others)`, a line a difference."""
    return [
        clean(f"{difference.what}: " + ", ".join(f"{value.value} ({value.who})" for value in difference.values))
        for difference in differences
    ]
