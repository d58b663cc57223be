"""One panel of a table's chart, as on pages: rows of marks, or lines over sizes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, TypedDict

from matplotlib.axes import Axes
from matplotlib.path import Path

from benchdb.compare.table.charts.chart import Chart, ChartMark, ChartPanel
from benchdb.compare.table.charts.panels import of_series
from benchdb.compare.table.charts.shown import better, quantity, short_position
from benchdb.wording.axes import Tick

from .axes import plain_ticks, scale_axis
from .style import FAINT, INK, MARKERS, SERIES, SMALL, short


class LineStyle(TypedDict):
    """The look of an interval."""

    color: str
    linewidth: float
    solid_capstyle: Literal["butt"]
    alpha: float


class MarkerStyle(TypedDict):
    """The look of a mark; sizes in points."""

    marker: str | Path
    color: str
    markerfacecolor: str
    markersize: float
    markeredgewidth: float
    alpha: float


MARK_SIZE = 4.2  # points
PALE = 0.45  # opacity
DODGE = 0.35  # of a position's width, that the marks of all series take together
MOST_POSITIONS = 8  # labels under a panel


def draw_rows(axes: Axes, chart: Chart, panel: ChartPanel, places: dict[tuple[int, int], float]) -> None:
    """Rows of marks from left to right; `places` are the heights of marks by position and series, downwards."""
    scale_axis(axes, axes.xaxis, panel.scale)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(_axis(chart, panel, "→", "←"), fontsize=SMALL, labelpad=2, color=FAINT)
    _title(axes, panel)
    if chart.baseline is not None:
        axes.axvline(1, color=INK, linewidth=0.7, zorder=1)
    for mark in panel.marks:
        y = places[mark.position, mark.series]
        if mark.low is not None and mark.high is not None:
            axes.plot([mark.low, mark.high], [y, y], **_line(chart, mark))
        axes.plot([mark.value], [y], **_marker(chart, mark))


def draw_lines(axes: Axes, chart: Chart, panel: ChartPanel) -> None:
    """Positions from left to right, and a line a series."""
    scale_axis(axes, axes.yaxis, panel.scale)
    index = {position: i for i, position in enumerate(panel.positions)}
    count, tracks = len(panel.positions), len(chart.series)
    step = -(-count // MOST_POSITIONS)
    labels = [Tick(i, short(short_position(chart.positions[at]), 14)) for i, at in enumerate(panel.positions)]
    plain_ticks(axes.xaxis, labels[::step])
    axes.xaxis.grid(visible=False)
    axes.tick_params(axis="x", labelrotation=45 if count > 4 else 0)
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_xlabel(chart.along, fontsize=SMALL, labelpad=2, color=FAINT)
    axes.set_ylabel(_axis(chart, panel, "↑", "↓"), fontsize=SMALL, labelpad=2, color=FAINT)
    _title(axes, panel)
    if chart.baseline is not None:
        axes.axhline(1, color=INK, linewidth=0.7, zorder=1)
    for s in range(tracks):
        aside = (s - (tracks - 1) / 2) / tracks * DODGE
        _draw_line(axes, chart, of_series(panel.marks, s), {at: i + aside for at, i in index.items()}, index)


def _draw_line(
    axes: Axes, chart: Chart, marks: list[ChartMark], places: dict[int, float], index: dict[int, int]
) -> None:
    for one, other in pairwise(marks):
        if index[other.position] == index[one.position] + 1:
            ends = [places[one.position], places[other.position]]
            axes.plot(ends, [one.value, other.value], color=_colour(chart, one), linewidth=1)
    for mark in marks:
        x = places[mark.position]
        if mark.low is not None and mark.high is not None:
            axes.plot([x, x], [mark.low, mark.high], **_line(chart, mark))
        axes.plot([x], [mark.value], **_marker(chart, mark))


def rows_of(panel: ChartPanel) -> Iterator[tuple[int, list[int]]]:
    """The positions of a panel from top to bottom, each with the series that have a mark there."""
    for position in panel.positions:
        yield position, sorted({mark.series for mark in panel.marks if mark.position == position})


def _title(axes: Axes, panel: ChartPanel) -> None:
    if panel.label:
        axes.set_title(short(panel.label), fontsize=8, fontweight="bold", loc="left", pad=5)


def _axis(chart: Chart, panel: ChartPanel, higher: str, lower: str) -> str:
    return f"{short(quantity(chart, panel))} · {better(panel, higher, lower)}"


def _colour(chart: Chart, mark: ChartMark) -> str:
    return SERIES[chart.series[mark.series].colour - 1]


def _line(chart: Chart, mark: ChartMark) -> LineStyle:
    return {"color": _colour(chart, mark), "linewidth": 1.1, "solid_capstyle": "butt", "alpha": _alpha(mark)}


def _marker(chart: Chart, mark: ChartMark) -> MarkerStyle:
    colour = _colour(chart, mark)
    return {
        "marker": MARKERS[chart.series[mark.series].colour - 1],
        "color": colour,
        "markerfacecolor": colour if mark.filled else "white",
        "markersize": MARK_SIZE,
        "markeredgewidth": 1,
        "alpha": _alpha(mark),
    }


def _alpha(mark: ChartMark) -> float:
    return PALE if mark.pale else 1.0
