"""The chart of a trend, which the server draws (compare/trend_chart.html). Pure functions.

Horizontal positions are shares of the page's width and heights are pixels, so that the chart fits any width without a
script and words keep their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log
from statistics import median_low

from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.links import result_href
from benchdb.wording.axes import figure_ticks, is_wide
from benchdb.wording.colours import colours
from benchdb.wording.numbers import plural
from benchdb.wording.times import earliest
from benchdb.wording.words import cut, direction

from . import axis as trend_axis
from .content import TrendContent, TrendPoint, TrendSeries
from .contexts import PlottedRun, PlottedSeries, TrendChart, TrendEvent, TrendLevel, TrendMark, TrendRow, TrendTick
from .order import kernel_order

TOP, BOTTOM = 26, 290  # of the field with the runs
UNDER, TURNED = 44, 100  # height of the labels under the field; turned names of kernels need more
FLAT = 0.02  # a history that varies less than this share of its level is not stretched
WIDE_EDGE = 1.3  # factor between the bounds of a logarithmic field and its figures
EDGE = 2.0  # per cent between the field's sides and the first and last run
MOST_LEVEL, MOST_KERNELS = 3, 24  # a phone has room for so many names, level and turned; with more, some are left out
LONGEST = 20  # characters of a kernel's name


@dataclass(frozen=True)
class Field:
    """The coordinates of the chart: `low` and `high` in the shown unit; by series the horizontal place of each run."""

    low: float
    high: float
    logarithmic: bool
    places: Sequence[Sequence[float]]

    def y(self, figure: float) -> float:
        """The distance of a figure from the top in pixels; a figure outside the bounds is drawn on the edge."""
        inside = min(max(figure, self.low), self.high)
        share = (
            log(inside / self.low) / log(self.high / self.low)
            if self.logarithmic
            else (inside - self.low) / (self.high - self.low)
        )
        return round(BOTTOM - share * (BOTTOM - TOP), 1)


def show_chart(content: TrendContent) -> TrendChart | None:
    """The chart; None if no run has a figure."""
    with_mean = [cell for series in content.series for cell in series.cells if cell.mean is not None]
    if not with_mean:
        return None
    wide = is_wide([cell.mean for cell in with_mean if cell.mean is not None])
    low, high = (_wide_bounds if wide else _bounds)(with_mean, content.per)
    kernels = list(dict.fromkeys(line.kernel or "unknown" for line in content.run_list))
    kernels.sort(key=lambda kernel: kernel_order(None if kernel == "unknown" else kernel))
    places, ticks = _by_kernel(content, kernels) if content.by == "kernel" else _by_time(content)
    field = Field(low, high, wide, places)
    turned = content.by == "kernel" and len(kernels) > MOST_LEVEL
    several = len(content.series) > 1
    # A single series is named in the title and has the colour of its file system too.
    numbers = colours([series.label for series in content.series])
    return TrendChart(
        label=_label(content),
        quantity=f"{content.metric_label}, {content.unit} {direction(content.higher_is_better)}",
        height=BOTTOM + (TURNED if turned else UNDER),
        top=TOP,
        bottom=BOTTOM,
        turned=turned,
        rows=[
            TrendRow(field.y(figure), text) for figure, text in (figure_ticks if wide else trend_axis.rows)(low, high)
        ],
        ticks=ticks,
        events=_events(content, places),
        several=several,
        odd=any(series.outliers for series in content.series),
        absent=len(with_mean) < sum(len(series.runs) for series in content.series),
        series=[_series(content, field, s, number) for s, number in enumerate(numbers)],
    )


def _label(content: TrendContent) -> str:
    """The label for readers who cannot see the chart; the table has the figures."""
    number = sum(len(series.runs) for series in content.series)
    return f"{content.title}: {content.metric_label} of {plural(number, 'run')}, as in the table below"


def _bounds(cells: Sequence[Cell], per: float) -> tuple[float, float]:
    """The bounds of the field: all figures, and their intervals.

    Intervals much wider than the typical one and than the range of the figures may be cut.
    """
    means = [cell.mean / per for cell in cells if cell.mean is not None]
    low, high = min(means), max(means)
    intervals = [(cell.low / per, cell.high / per) for cell in cells if cell.low is not None and cell.high is not None]
    typical = median_low(end - begin for begin, end in intervals) if intervals else 0.0
    room = max(high - low, typical * 1.25, FLAT * abs(high)) or 1.0
    ends = [end for interval in intervals for end in interval]
    return (
        max(min([low, *ends]), low - room / 2) - 0.05 * room,
        min(max([high, *ends]), high + room / 2) + 0.05 * room,
    )


def _wide_bounds(cells: Sequence[Cell], per: float) -> tuple[float, float]:
    """The bounds of a logarithmic field, whose intervals may reach to the edge."""
    means = [cell.mean / per for cell in cells if cell.mean is not None]
    return min(means) / WIDE_EDGE, max(means) * WIDE_EDGE


def _by_time(content: TrendContent) -> tuple[list[list[float]], list[TrendTick]]:
    times = {line.id: earliest(line.started_at) for line in content.run_list}
    first, last = min(times.values()), max(times.values())

    def place(at: datetime) -> float:
        return EDGE + (at - first) / (last - first) * (100 - 2 * EDGE) if last > first else 50.0

    axis_ticks = (
        trend_axis.times(first, last)
        if last > first
        else [trend_axis.AxisTick(first, f"{first:%-d %b}", f"{first:%Y}")]
    )
    ticks = [TrendTick(place(tick.at), tick.text, tick.under) for tick in axis_ticks]
    return [[place(times[run]) for run in series.runs] for series in content.series], ticks


def _by_kernel(content: TrendContent, kernels: Sequence[str]) -> tuple[list[list[float]], list[TrendTick]]:
    """The places of the runs and the ticks: each kernel has a stripe of equal width, with its runs side by side."""
    of_run = {line.id: line.kernel or "unknown" for line in content.run_list}
    width = 100 / len(kernels)
    places = []
    for series in content.series:
        run_kernels = [of_run[run] for run in series.runs]
        earlier = [run_kernels[:i].count(kernel) for i, kernel in enumerate(run_kernels)]
        shares = [
            0.1 + 0.8 * (i + 0.5) / run_kernels.count(kernel) for i, kernel in zip(earlier, run_kernels, strict=True)
        ]
        places.append(
            [(kernels.index(kernel) + share) * width for kernel, share in zip(run_kernels, shares, strict=True)]
        )
    step = -(-len(kernels) // MOST_KERNELS)
    ticks = [
        TrendTick((i + 0.5) * width, cut(kernel, LONGEST), title=kernel if len(kernel) > LONGEST else None)
        for i, kernel in enumerate(kernels)
        if i % step == 0
    ]
    return places, ticks


def _events(content: TrendContent, places: Sequence[Sequence[float]]) -> list[TrendEvent]:
    """Each change once, halfway between the runs before and after it, because its time between them is unknown.

    Every series lists a change of the machine, each at its next run. The first, second, … change with the same text in
    one series is the first, second, … in all series.
    """
    position_of: dict[tuple[int, str], float] = {}
    for series, run_places in zip(content.series, places, strict=True):
        texts: list[str] = []
        for event in series.changes:
            key = (texts.count(event.text), event.text)
            texts.append(event.text)
            halfway = (run_places[event.at - 1] + run_places[event.at]) / 2
            position_of[key] = min(halfway, position_of.get(key, halfway))
    return [TrendEvent(x, text) for (_, text), x in position_of.items()]


def _series(content: TrendContent, field: Field, s: int, number: int) -> PlottedSeries:
    series, per, places = content.series[s], content.per, field.places[s]
    several = len(content.series) > 1
    return PlottedSeries(
        number=number,
        label=series.label,
        runs=[_run(series, i, f"p{s}-{i}", places[i], field, per) for i in range(len(series.runs))],
        levels=[
            TrendLevel(places[segment.first], places[segment.last], field.y(segment.level / per))
            for segment in series.segments
        ],
        marks=[_mark(series, point, places, field, per, several) for point in series.change_points],
    )


def _run(series: TrendSeries, i: int, key: str, x: float, field: Field, per: float) -> PlottedRun:
    cell = series.cells[i]
    href = result_href(series.runs[i], cell.ordinals[0])
    if cell.mean is None:
        return PlottedRun(key, href, x)
    has_interval = cell.low is not None and cell.high is not None
    return PlottedRun(
        key,
        href,
        x,
        y=field.y(cell.mean / per),
        low=field.y(cell.low / per) if has_interval and cell.low is not None else None,
        high=field.y(cell.high / per) if has_interval and cell.high is not None else None,
        odd=i in series.outliers,
    )


def _mark(
    series: TrendSeries, point: TrendPoint, places: Sequence[float], field: Field, per: float, several: bool
) -> TrendMark:
    """The mark is at the step, at the height of the level before it, because no later runs are in the way there."""
    level = next(segment.level for segment in reversed(series.segments) if segment.last < point.at)
    x = places[point.at]
    text = f"{point.change} {series.label}" if several else point.change
    return TrendMark(x, field.y(level / per), x > 75, point.kind, text)
