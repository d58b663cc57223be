"""The charts of a table as its pages draw them (compare/charts.html). Pure functions.

Horizontal places are shares of the page's width and vertical ones pixels, so that charts fit any width without a script
and words keep their size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from benchdb.compare.table.grid import Grid
from benchdb.compare.table.sorting.differing import FIGURES, RATIOS
from benchdb.wording.axes import Tick

from .chart import Chart, ChartMark, ChartPanel, TooManyMarks
from .panels import figure_chart, of_series, ratio_chart

TRACK = 12  # pixels between the marks of a row
ROW_EDGE = 4  # pixels above and below the marks of a row
HEIGHT = 150  # of the field of an ordered panel, in pixels
LEAST_FIGURES = 2  # of a chart: a single mark shows nothing
MOST_LABELS = 6  # of positions under an ordered panel, as many as a phone has room for
CHARTS = {RATIOS: ratio_chart, FIGURES: figure_chart}
STEP = 0.35  # of a position's width: how far apart marks at one position are, together


@dataclass(frozen=True, slots=True)
class ShownMark:
    """A mark: x and y, and the ends of its whisker, are lengths in SVG. `href` leads to its cell in the table."""

    key: str
    href: str
    colour: int
    filled: bool
    pale: bool
    x: str
    y: str
    x1: str = ""
    y1: str = ""
    x2: str = ""
    y2: str = ""

    @property
    def whisker(self) -> bool:
        """Whether the mark has an interval."""
        return bool(self.x1)


@dataclass(frozen=True, slots=True)
class ShownSegment:
    """A line between two marks of a series."""

    colour: int
    x1: str
    y1: str
    x2: str
    y2: str


@dataclass(frozen=True, slots=True)
class ShownTick:
    """A tick: its place as a length in SVG, its label, and whether it is ratio 1."""

    at: str
    text: str
    one: bool


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of an unordered panel; `height` in pixels."""

    label: str
    height: int
    marks: list[ShownMark]


@dataclass(frozen=True, slots=True)
class ShownPanel:
    """A panel: `quantity` names its axis, `better` says which end is better. It has rows or segments with marks."""

    label: str
    quantity: str
    better: str
    ticks: list[ShownTick]
    rows: list[ShownRow]
    positions: list[ShownTick]
    segments: list[ShownSegment]
    marks: list[ShownMark]


def show_charts(table: Grid, show: Collection[str]) -> dict[str, object]:
    """The charts of `show` that a table has, by their name: ratios to the baseline, and figures."""
    shown = {name: _shown(chart(table), "") for name, chart in CHARTS.items() if name in show}
    return {name: chart for name, chart in shown.items() if chart is not None}


def charts_of(table: Grid) -> list[str]:
    """The charts that a table has."""
    ratios = any(cell.verdict and cell.verdict.ratio for cell in table.cells)
    return [*([RATIOS] if ratios else []), *([FIGURES] if table.has_mean.any() else [])]


def show_figures(table: Grid, address: str) -> dict[str, object] | None:
    """The chart of figures; None if there are fewer than two figures, or too many."""
    chart = figure_chart(table)
    if not isinstance(chart, Chart) or sum(len(panel.marks) for panel in chart.panels) < LEAST_FIGURES:
        return None
    shown = _shown(chart, address)
    return shown if isinstance(shown, dict) else None


def _shown(chart: Chart | TooManyMarks | None, address: str) -> dict[str, object] | TooManyMarks | None:
    if not isinstance(chart, Chart):
        return chart
    panel = _ordered_panel if chart.ordered else _panel_of_rows
    several = len(chart.series) > 1 or chart.series[0].label
    # A series in the legend.
    return {
        "panels": [panel(chart, of_chart, address) for of_chart in chart.panels],
        "series": [{"label": series.label, "colour": series.colour} for series in chart.series] if several else [],
        "ordered": chart.ordered,
        "along": chart.along,
        "height": HEIGHT,
        "notes": notes_on(chart),
    }


def notes_on(chart: Chart) -> list[str]:
    """The meaning of marks, lines and axes, as far as they occur."""
    marks = [mark for panel in chart.panels for mark in panel.marks]
    pale = " Pale: measured memory, or under 100 ticks of the clock." if any(mark.pale for mark in marks) else ""
    interval = ", with its 95 % interval" if any(mark.low is not None for mark in marks) else ""
    if chart.baseline is None:
        logarithmic = any(panel.scale.logarithmic for panel in chart.panels)
        axes = "Logarithmic axes" if logarithmic else "Axes begin at 0"
        return [f"{axes}{interval and '; lines through marks are 95 % intervals'}.{pale}"]
    hollow = " Filled: a difference is established; hollow: none is." if any(not mark.filled for mark in marks) else ""
    return [f"Each mark is the ratio to {chart.baseline}{interval}, on a logarithmic axis.{hollow}{pale}"]


def _panel_of_rows(chart: Chart, panel: ChartPanel, address: str) -> ShownPanel:
    """A row a position, with its marks below each other in the order of the series."""
    tracks = len(chart.series)
    rows = []
    for position in panel.positions:
        marks = [mark for mark in panel.marks if mark.position == position]
        # A row has room for the series that it has, so that a table of few figures stays short.
        present = sorted({mark.series for mark in marks})
        height = 2 * ROW_EDGE + TRACK * len(present)
        rows.append(
            ShownRow(
                chart.positions[position],
                height,
                [_mark_of_row(chart, panel, mark, present.index(mark.series), address) for mark in marks],
            )
        )
    return ShownPanel(
        label=panel.label,
        quantity=quantity(chart, panel),
        better=better(panel, "→", "←"),
        ticks=[_tick(tick, _share(panel.scale.share(tick.value)), chart) for tick in panel.scale.ticks],
        rows=rows if tracks else [],
        positions=[],
        segments=[],
        marks=[],
    )


def _mark_of_row(chart: Chart, panel: ChartPanel, mark: ChartMark, track: int, address: str) -> ShownMark:
    y = f"{ROW_EDGE + TRACK * (track + 0.5):g}"
    ends = ("", "", "", "")
    if mark.low is not None and mark.high is not None:
        ends = (_share(panel.scale.share(mark.low)), y, _share(panel.scale.share(mark.high)), y)
    return _mark(chart, mark, address, _share(panel.scale.share(mark.value)), y, ends)


def _mark(chart: Chart, mark: ChartMark, address: str, x: str, y: str, ends: tuple[str, str, str, str]) -> ShownMark:
    href = f"{address}#c{mark.key}"
    return ShownMark(mark.key, href, chart.series[mark.series].colour, mark.filled, mark.pale, x, y, *ends)


def _ordered_panel(chart: Chart, panel: ChartPanel, address: str) -> ShownPanel:
    """Positions from left to right, a line a series; the marks of one position are beside each other."""
    count, tracks = len(panel.positions), len(chart.series)
    index = {position: i for i, position in enumerate(panel.positions)}

    def x(mark: ChartMark) -> str:
        aside = (mark.series - (tracks - 1) / 2) / tracks * STEP
        return _share((index[mark.position] + 0.5 + aside * min(1.0, 2 / count)) / count)

    def y(figure: float) -> str:
        return f"{HEIGHT * (1 - panel.scale.share(figure)):.1f}"

    def shown(mark: ChartMark) -> ShownMark:
        at, ends = x(mark), ("", "", "", "")
        if mark.low is not None and mark.high is not None:
            ends = (at, y(mark.low), at, y(mark.high))
        return _mark(chart, mark, address, at, y(mark.value), ends)

    def segments() -> Iterator[ShownSegment]:
        for s, series in enumerate(chart.series):
            for one, other in pairwise(of_series(panel.marks, s)):
                if index[other.position] == index[one.position] + 1:
                    yield ShownSegment(series.colour, x(one), y(one.value), x(other), y(other.value))

    step = -(-count // MOST_LABELS)
    return ShownPanel(
        label=panel.label,
        quantity=quantity(chart, panel),
        better=better(panel, "↑", "↓"),
        ticks=[_tick(tick, y(tick.value), chart) for tick in panel.scale.ticks],
        rows=[],
        positions=[
            ShownTick(_share((i + 0.5) / count), short_position(chart.positions[position]), one=False)
            for i, position in enumerate(panel.positions)
            if i % step == 0
        ],
        segments=list(segments()),
        marks=[shown(mark) for mark in panel.marks],
    )


def short_position(position: str) -> str:
    """`64 KiB` of `64 KiB records`, because the axis names the dimension."""
    for noun in (" records", " file", " threads", " thread", " chunk", " read-ahead"):
        position = position.removesuffix(noun)
    return position


def _tick(tick: Tick, at: str, chart: Chart) -> ShownTick:
    one = chart.baseline is not None and tick.value == 1
    return ShownTick(at, tick.text, one)


def quantity(chart: Chart, panel: ChartPanel) -> str:
    """What the axis has: a ratio or a unit."""
    return panel.measure.unit if chart.baseline is None else f"ratio to {chart.baseline}"


def better(panel: ChartPanel, higher: str, lower: str) -> str:
    """Which end of the axis is better; the arrows point to its larger and its smaller figures."""
    return f"better {higher}" if panel.measure.higher_is_better else f"better {lower}"


def _share(share: float) -> str:
    """A share of the width as a length in SVG."""
    return f"{100 * share:.2f}%"
