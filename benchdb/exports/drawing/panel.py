"""One panel of a table's chart, as on pages: rows of marks, or lines over sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import radians, sin

from benchdb.compare.table.charts.chart import Chart, ChartMark, ChartPanel
from benchdb.compare.table.charts.panels import of_series
from benchdb.compare.table.charts.shown import better, quantity, short_position
from benchdb.wording.axes import Tick

from .fonts import shorten, text_width
from .plot import GAP, TURN, Plot, plain_scale
from .style import INK, SERIES, SIZE, SMALL, mix
from .svg import MIDDLE, Drawing

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
