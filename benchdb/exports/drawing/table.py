"""A table as its page draws it: ratios to the baseline if there are any, else figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchdb.compare.table.charts.chart import Chart, ChartPanel, TooManyMarks
from benchdb.compare.table.charts.panels import figure_chart, ratio_chart
from benchdb.compare.table.charts.shown import notes_on
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.grid import grid_of
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.runs.cells.cell import Cell

from .panel import draw_lines, draw_rows, rows_height, under_lines
from .sheet import lay_out
from .style import INCH, MARGIN, WIDTH
from .svg import Drawing

MOST_PANELS = 60
MOST_MARKS = 1500
HIGHEST = 120 * INCH  # 550 lines, two seconds of a processor as a PNG
LINES_ACROSS, ROWS_ACROSS = 3, 2  # panels side by side
ABOVE, BELOW = 22.0, 30.0  # for a panel's head, and for the axis of rows
FIELD, BESIDE = 98.0, 45.0  # of a panel of lines: the height of its field, and left of it
NO_FIGURE = {"failed": "failed", "unmeasurable": "too fast to measure", "computing": "not computed yet"}


def draw_table(content: TableContent, origin: Origin) -> Drawing:
    """The picture of a table. Raises TooLarge."""
    table = grid_of(content)
    chart = ratio_chart(table, MOST_MARKS) or figure_chart(table, MOST_MARKS)
    if isinstance(chart, TooManyMarks):
        raise TooLarge(
            f"a picture of {chart.too_many} cells cannot be read ({chart.most} at most);"
            " choose fewer tests, sizes or runs"
        )
    if chart is None:
        return lay_out(content, origin, _explanations(content, None), 0, width=WIDTH)[0]
    across = min(LINES_ACROSS if chart.ordered else ROWS_ACROSS, len(chart.panels))
    width = _width(chart, across)
    tall = [_height(chart, panel, width) for panel in chart.panels]
    heights = [max(tall[i : i + across]) for i in range(0, len(tall), across)]
    if len(tall) > MOST_PANELS or sum(heights) > HIGHEST:
        raise TooLarge(
            f"a picture of {len(tall)} panels, {sum(heights) / INCH:.0f} inches high, cannot be read;"
            " choose fewer tests, sizes or runs"
        )
    legend = [series for series in chart.series if series.label]
    explanations = _explanations(content, chart)
    drawing, top = lay_out(content, origin, explanations, sum(heights), width=WIDTH, legend=legend)
    for i, panel in enumerate(chart.panels):
        row, column = divmod(i, across)
        left, below = column * width, top + sum(heights[:row]) + _above(panel)
        if chart.ordered:
            draw_lines(drawing, chart, panel, left + BESIDE, below, (width - BESIDE - MARGIN, FIELD))
        else:
            draw_rows(drawing, chart, panel, left + MARGIN, below, width - 2 * MARGIN)
    return drawing


def _width(chart: Chart, across: int) -> float:
    """The width of a panel, if so many are side by side."""
    width = (WIDTH - MARGIN) / across
    return min(width, WIDTH / 2) if chart.ordered else width


def _height(chart: Chart, panel: ChartPanel, width: float) -> float:
    if chart.ordered:
        return _above(panel) + FIELD + under_lines(chart, panel, width - BESIDE - MARGIN)
    return _above(panel) + rows_height(panel) + BELOW


def _above(panel: ChartPanel) -> float:
    return ABOVE if panel.label else ABOVE / 3


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
