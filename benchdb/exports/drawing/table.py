"""A table as its page draws it: ratios to the baseline if there are any, else figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.lines import Line2D

from benchdb.compare.table.charts.chart import Chart, ChartPanel, ChartSeries, TooManyMarks
from benchdb.compare.table.charts.panels import figure_chart, ratio_chart
from benchdb.compare.table.charts.shown import notes_on
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.grid import grid_of
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.runs.cells.cell import Cell

from .panel import draw_lines, draw_rows, rows_of
from .sheet import Sheet, lay_out
from .style import INK, MARGIN, MARKERS, SERIES, WIDTH, short

MOST_PANELS = 60
MOST_MARKS = 1500
HIGHEST = 120.0  # inches: 700 lines, five seconds of a processor and 300 MiB; Matplotlib's own limit is 65,536 dots
LINES_ACROSS, ROWS_ACROSS = 3, 2  # panels side by side
TRACK, ROW_EDGE = 0.12, 0.05  # inches that a mark in a row takes, and above and below the marks
ABOVE, BELOW = 0.3, 0.42  # inches for a panel's head, and for the axis of rows
FIELD, UNDER, BESIDE = 1.35, 0.62, 0.62  # inches of a panel of lines: its field, below it, and left of it
LETTER = 0.062
LEGEND = 0.22  # inches of a line of the legend
NO_FIGURE = {"failed": "failed", "unmeasurable": "too fast to measure", "computing": "not computed yet"}


@dataclass(frozen=True, slots=True)
class PanelGrid:
    """The panels of a chart, so many across, with the height of each row of panels in inches."""

    across: int
    heights: list[float]


def draw_table(content: TableContent, origin: Origin) -> Sheet:
    """The picture of a table. Raises TooLarge."""
    table = grid_of(content)
    chart = ratio_chart(table, MOST_MARKS) or figure_chart(table, MOST_MARKS)
    if isinstance(chart, TooManyMarks):
        raise TooLarge(
            f"a picture of {chart.too_many} cells cannot be read ({chart.most} at most);"
            " choose fewer tests, sizes or runs"
        )
    if chart is None:
        return lay_out(content, origin, _explanations(content, None), width=WIDTH, height=0)
    grid = _grid(chart)
    legend = _legend_lines(chart) * LEGEND
    height = legend + sum(grid.heights)
    if len(chart.panels) > MOST_PANELS or height > HIGHEST:
        raise TooLarge(
            f"a picture of {len(chart.panels)} panels, {height:.0f} inches high, cannot be read;"
            " choose fewer tests, sizes or runs"
        )
    sheet = lay_out(content, origin, _explanations(content, chart), width=WIDTH, height=height)
    _draw_legend(sheet, chart)
    for i, panel in enumerate(chart.panels):
        row, column = divmod(i, grid.across)
        top = sheet.top + legend + sum(grid.heights[:row])
        (_draw_lines if chart.ordered else _draw_rows)(sheet, chart, panel, top, column, grid.across)
    return sheet


def _grid(chart: Chart) -> PanelGrid:
    across = min(LINES_ACROSS if chart.ordered else ROWS_ACROSS, len(chart.panels))
    heights = [
        _above(panel) + (FIELD + UNDER if chart.ordered else _rows_height(panel) + BELOW) for panel in chart.panels
    ]
    return PanelGrid(across, [max(heights[i : i + across]) for i in range(0, len(heights), across)])


def _above(panel: ChartPanel) -> float:
    return ABOVE if panel.label else ABOVE / 3


def _rows_height(panel: ChartPanel) -> float:
    return sum(2 * ROW_EDGE + TRACK * len(series) for _, series in rows_of(panel))


def _draw_lines(sheet: Sheet, chart: Chart, panel: ChartPanel, top: float, column: int, across: int) -> None:
    width = min((WIDTH - MARGIN) / across, WIDTH / 2)
    axes = sheet.axes(column * width + BESIDE, top + _above(panel), width - BESIDE - MARGIN, FIELD)
    draw_lines(axes, chart, panel)


def _draw_rows(sheet: Sheet, chart: Chart, panel: ChartPanel, top: float, column: int, across: int) -> None:
    labels = [short(chart.positions[position]) for each in chart.panels for position in each.positions]
    left = MARGIN + LETTER * max(map(len, labels)) + 0.1
    width = (WIDTH - MARGIN) / across
    height = _rows_height(panel)
    axes = sheet.axes(column * width + left, top + _above(panel), width - left - 2 * MARGIN, height)
    axes.set_ylim(height, 0)
    places, y = dict[tuple[int, int], float](), 0.0
    for position, series in rows_of(panel):
        row = 2 * ROW_EDGE + TRACK * len(series)
        places |= {(position, s): y + ROW_EDGE + TRACK * (track + 0.5) for track, s in enumerate(series)}
        axes.annotate(
            short(chart.positions[position]), (0, y + row / 2), (-5, 0), xycoords=axes.get_yaxis_transform(),
            textcoords="offset points", ha="right", va="center", color=INK,
        )  # fmt: skip
        y += row
    draw_rows(axes, chart, panel, places)


def _per_line(chart: Chart) -> int:
    """How many labels of the legend a line has room for."""
    longest = max(len(short(series.label)) for series in chart.series)
    return max(1, int((WIDTH - 2 * MARGIN) / (LETTER * longest + 0.4)))


def _legend_lines(chart: Chart) -> int:
    return math.ceil(len(chart.series) / _per_line(chart)) if chart.series[0].label else 0


def _draw_legend(sheet: Sheet, chart: Chart) -> None:
    if not chart.series[0].label:
        return
    handles = [_handle(series) for series in chart.series]
    sheet.figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(MARGIN / sheet.width, 1 - (sheet.top - 0.06) / sheet.height),
        ncols=min(_per_line(chart), len(handles)), frameon=False, fontsize=8, borderpad=0, borderaxespad=0,
        labelcolor=INK, handlelength=1.6, columnspacing=1.4,
    )  # fmt: skip


def _handle(series: ChartSeries) -> Line2D:
    colour, marker = SERIES[series.colour - 1], MARKERS[series.colour - 1]
    return Line2D([], [], color=colour, marker=marker, linewidth=1, markersize=4.2, label=short(series.label))


def _explanations(content: TableContent, chart: Chart | None) -> list[str]:
    """The meaning of marks, and what is not drawn."""
    placed = [placed.cell for placed in cells(content)]
    counts = ", ".join(dict.fromkeys(group.n for group in content.groups if group.n))
    lines = [*(notes_on(chart) if chart else []), *([f"{counts}."] if counts else [])]
    return [" ".join(lines), *_missing(placed), *method.tests(content, placed), *method.of_all_verdicts(placed)]


def _missing(measured: Sequence[Cell]) -> list[str]:
    """`Not drawn: 1 cell failed, 2 cells too fast to measure.`"""
    counts = Counter(NO_FIGURE[cell.status] for cell in measured if cell.mean is None and cell.status in NO_FIGURE)
    texts = [f"{number} cell{'' if number == 1 else 's'} {words}" for words, number in counts.items()]
    return [f"Not drawn: {', '.join(texts)}."] if texts else []
