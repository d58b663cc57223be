"""A trend as grids and notes of a printed document."""

from __future__ import annotations

from datetime import datetime

from benchdb.compare.content import RunLine
from benchdb.compare.trend.content import TrendContent
from benchdb.compare.trend.present import show_points, show_statements
from benchdb.runs.cells.cell_context import show_cell
from benchdb.wording.clean import clean
from benchdb.wording.times import read_start
from benchdb.wording.words import direction

from .document import ColumnHead, PrintedGrid, PrintedRow, printed_cell
from .kind import ExportedKind


def grids(content: TrendContent) -> list[PrintedGrid]:
    """A grid a series, a row a run, in the order of the chart."""
    several = len(content.series) > 1
    heads = [ColumnHead(clean(content.label), clean(f"{content.unit} {direction(content.higher_is_better)}"))]
    lines = {line.id: line for line in content.run_list}
    return [
        PrintedGrid(
            clean(series.label) if several else "",
            "",
            "Started (UTC)",
            heads,
            [
                PrintedRow(_started(lines[run]), clean(lines[run].kernel or ""), [printed_cell(show_cell(cell))])
                for run, cell in zip(series.runs, series.cells, strict=True)
            ],
        )
        for series in content.series
    ]


def columns(content: TrendContent) -> list[str]:
    """The label of the only column."""
    return [content.label]


def _started(line: RunLine) -> str:
    return f"{known:%Y-%m-%d %H:%M}" if isinstance(known := read_start(line.started_at), datetime) else str(known)


def notes(content: TrendContent) -> list[str]:
    """Change points, statements about each series, and the notes of the content."""
    return [*(point.text for point in show_points(content)), *show_statements(content), *content.notes]


EXPORTED = ExportedKind(
    grids=grids,
    notes=notes,
    columns=columns,
    draw="benchdb.exports.drawing.trend.draw_trend",
    lines_of_figures_only=True,
)
