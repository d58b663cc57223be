"""The contexts of response curves besides the picture: the knees in sentences, and the table. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.warning_box import PageWarning
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import ShownCell, show_cell
from benchdb.runs.cells.links import result_href
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn
from benchdb.runs.cells.panel import CellPanel, show_panel
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import direction, upper

from .content import ResponseAxis, ResponseContent
from .percentiles import shown_latency

TABLE_ID = "response"


@dataclass(frozen=True, slots=True)
class ShownKnee:
    """A sentence about a curve: its label, which is "" if there is a single curve, and whether a knee was found."""

    label: str
    text: str
    found: bool


def show_knees(content: ResponseContent) -> list[ShownKnee]:
    """A sentence for each curve."""
    return [
        ShownKnee(curve.label, curve.knee.text if curve.label else upper(curve.knee.text), curve.knee.at is not None)
        for curve in content.curves
    ]


def knee_sentences(content: ResponseContent) -> list[str]:
    """The same as whole sentences, for exports: `ext4: knee at 8 threads, …`."""
    return [f"{knee.label}: {knee.text}" if knee.label else knee.text for knee in show_knees(content)]


def show_table(content: ResponseContent, options: PageOptions) -> MeasuredTable:
    """A group a curve, a row a level, a column for each of the two quantities."""
    details: dict[str, CellPanel] = {}
    groups = [
        RowGroup(
            unbroken(curve.label) if curve.label else None,
            None,
            [_row(content, c, p, options, details) for p in range(len(curve.points))],
        )
        for c, curve in enumerate(content.curves)
    ]
    columns = [_column(content.throughput), _column(content.latency)]
    return MeasuredTable(TABLE_ID, content.title, upper(content.over_label), columns, groups, details)


def _column(axis: ResponseAxis) -> TableColumn:
    return TableColumn(upper(axis.label), axis.unit, direction(axis.higher_is_better))


def _row(content: ResponseContent, c: int, p: int, options: PageOptions, details: dict[str, CellPanel]) -> MeasuredRow:
    """The row of a level; adds the panels of its cells to the details."""
    curve, point = content.curves[c], content.curves[c].points[p]
    commands = {line.id: line.command for line in content.run_list}
    latency = shown_latency(point, content.latency.measure.shown)
    axes = ((content.throughput, point.throughput), (content.latency, latency))

    def shown(q: int, axis: ResponseAxis, cell: Cell | None) -> ShownCell:
        key = f"{c}-{p}-{q}"
        if cell is not None and cell.runs and options.with_panels:
            title = " · ".join(filter(None, [content.label, axis.label, curve.label, point.label]))
            command = commands.get(cell.runs[0]) if len(cell.runs) == 1 else None
            details[f"c{key}"] = show_panel(cell, title, axis.measure.shown, command)
        href = result_href(cell.runs[0], cell.ordinals[0]) if cell is not None and len(cell.runs) == 1 else ""
        return show_cell(cell, href=href, detail=f"c{key}", anchor=f"c{key}", mark=options.marks.get(key, ""))

    return MeasuredRow(
        unbroken(point.label),
        "knee" if curve.knee.at == p else None,
        [shown(q, axis, cell) for q, (axis, cell) in enumerate(axes)],
    )


def show_warnings(content: ResponseContent) -> list[PageWarning]:
    """The warning that curves differ in more than their series and levels."""
    severe = [difference.label for difference in content.differences if difference.severe]
    if not severe:
        return []
    text = f"The curves differ in more than their series and levels: {', '.join(severe)}."
    return [PageWarning(text, severe=True)]
