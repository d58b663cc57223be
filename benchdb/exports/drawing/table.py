"""A table as its page draws it: ratios to the baseline if there are any, else figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import radians, sin

from benchdb.compare.table.charts.chart import Chart, ChartMark, ChartPanel, TooManyMarks
from benchdb.compare.table.charts.panels import figure_chart, of_series, ratio_chart
from benchdb.compare.table.charts.shown import better, notes_on, quantity, short_position
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.grid import grid_of
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.runs.cells.cell import Cell
from benchdb.wording.axes import Tick

from .fonts import shorten, text_width
from .plot import GAP, TURN, Plot, plain_scale
from .sheet import lay_out
from .style import INCH, INK, MARGIN, SERIES, SIZE, SMALL, WIDTH, mix
from .svg import MIDDLE, Drawing

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


TRACK, ROW_EDGE = 8.6, 3.6  # that a mark in a row takes, and above and below the marks
MARK_SIZE = 4.2
PALE, DODGE = 0.45, 0.35  # of a colour; of a position's width, that the marks of all series take together
UNDER = 32.0  # for labels of positions that are not turned, and the name of their dimension
MOST_POSITIONS = 12  # labels under a panel
LONGEST_POSITION = 60.0  # of a label under a panel
LABELS = 0.4  # of a panel's width, that the labels of rows may take


def rows_height(panel: ChartPanel) -> float:
    """The height of a panel's rows."""
    return sum(2 * ROW_EDGE + TRACK * len(series) for _, series in _rows_of(panel))


def draw_rows(drawing: Drawing, chart: Chart, panel: ChartPanel, left: float, top: float, width: float) -> None:
    """Rows of marks from left to right; the labels of all panels of the chart have the same room."""
    room = LABELS * width
    labels = {at: shorten(chart.positions[at], room, SIZE) for each in chart.panels for at in each.positions}
    before = max(text_width(label, SIZE) for label in labels.values()) + 2 * GAP
    plot = Plot(drawing, left + before, top, width - before, rows_height(panel), panel.scale, plain_scale(0, 1))
    plot.name_across(plot.rule_across(), quantity(chart, panel), f" · {better(panel, '→', '←')}")
    plot.edge(left=False)
    plot.title(panel.label)
    if chart.baseline is not None:
        drawing.line([(plot.x(1), top), (plot.x(1), plot.bottom)], INK, 0.7)
    for position, series in _rows_of(panel):
        row = 2 * ROW_EDGE + TRACK * len(series)
        drawing.text(plot.left - 2 * GAP, top + row / 2, labels[position], anchor="end", drop=MIDDLE)
        for mark in (mark for mark in panel.marks if mark.position == position):
            y = top + ROW_EDGE + TRACK * (series.index(mark.series) + 0.5)
            if mark.low is not None and mark.high is not None:
                plot.interval(mark.low, mark.high, y, _colour(chart, mark))
            _draw_mark(plot, chart, mark, plot.x(mark.value), y)
        top += row


def draw_lines(
    drawing: Drawing, chart: Chart, panel: ChartPanel, left: float, top: float, size: tuple[float, float]
) -> None:
    """Positions from left to right in a field of this width and height, and a line a series."""
    count, tracks = len(panel.positions), len(chart.series)
    ticks, turned = _positions(chart, panel, size[0])
    plot = Plot(drawing, left, top, *size, plain_scale(-0.5, count - 0.5, ticks), panel.scale)
    plot.name_across(plot.rule_across(turned=turned, rules=False), chart.along)
    plot.name_up(plot.rule_up(), quantity(chart, panel), f" · {better(panel, '↑', '↓')}")
    plot.edge()
    plot.title(panel.label)
    if chart.baseline is not None:
        drawing.line([(left, plot.y(1)), (left + size[0], plot.y(1))], INK, 0.7)
    index = {position: i for i, position in enumerate(panel.positions)}
    for s in range(tracks):
        aside = (s - (tracks - 1) / 2) / tracks * DODGE
        _draw_line(plot, chart, of_series(panel.marks, s), index, aside)


def under_lines(chart: Chart, panel: ChartPanel, width: float) -> float:
    """The height of the texts under a field of lines of this width."""
    ticks, turned = _positions(chart, panel, width)
    return UNDER + turned * sin(radians(TURN)) * max(text_width(tick.text, SMALL) for tick in ticks)


def _positions(chart: Chart, panel: ChartPanel, width: float) -> tuple[list[Tick], bool]:
    """The labels under a field of this width, and whether they are turned because they have no room otherwise."""
    texts = [shorten(short_position(chart.positions[at]), LONGEST_POSITION, SMALL) for at in panel.positions]
    ticks = [Tick(i, text) for i, text in enumerate(texts)][:: -(-len(texts) // MOST_POSITIONS)]
    return ticks, any(text_width(tick.text, SMALL) > width / len(ticks) - GAP for tick in ticks)


def _draw_line(plot: Plot, chart: Chart, marks: list[ChartMark], index: dict[int, int], aside: float) -> None:
    places = [(plot.x(index[mark.position] + aside), plot.y(mark.value)) for mark in marks]
    for (one, start), (other, end) in pairwise(zip(marks, places, strict=True)):
        if index[other.position] == index[one.position] + 1:
            plot.drawing.line([start, end], SERIES[chart.series[one.series].colour - 1])
    for mark, (x, y) in zip(marks, places, strict=True):
        if mark.low is not None and mark.high is not None:
            plot.interval(mark.low, mark.high, x, _colour(chart, mark), upright=True)
        _draw_mark(plot, chart, mark, x, y)


def _rows_of(panel: ChartPanel) -> Iterator[tuple[int, list[int]]]:
    """The positions of a panel from top to bottom, each with the series that have a mark there."""
    for position in panel.positions:
        yield position, sorted({mark.series for mark in panel.marks if mark.position == position})


def _draw_mark(plot: Plot, chart: Chart, mark: ChartMark, x: float, y: float) -> None:
    plot.drawing.marker(chart.series[mark.series].colour, x, y, MARK_SIZE, _colour(chart, mark), filled=mark.filled)


def _colour(chart: Chart, mark: ChartMark) -> str:
    colour = SERIES[chart.series[mark.series].colour - 1]
    return mix(colour, PALE) if mark.pale else colour
