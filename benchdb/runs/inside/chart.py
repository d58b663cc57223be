"""The chart of a panel as paths of an SVG picture, which needs no script. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log, log10

import numpy as np
import numpy.typing as npt

from benchdb.runs.store.round_series import ReadSeries
from benchdb.wording.numbers import say_duration

from .panels import Panel
from .span import Span, mean_in

FloatArray = npt.NDArray[np.float64]

WIDTH, HEIGHT = 1000, 100  # of the plot in its own units; the page stretches it
MOST_POINTS = 300  # of a line; of more, neighbours are drawn as their mean
TIME_STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400)  # seconds
MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chart in units of the plot; `mean` is its mean over the round, or the chosen span, in words."""

    label: str
    series: int
    path: str
    mean: str


@dataclass(frozen=True, slots=True)
class TimeChart:
    """A chart of runs/inside.html: the value at its upper end in words, 0 is at the lower end."""

    heading: str
    top: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """The time axis that all charts have: its ticks, and the vertical lines of the grid as a path."""

    end: float  # seconds
    ticks: Sequence[dict[str, object]]
    grid: str


def time_axis(series: Sequence[ReadSeries]) -> TimeAxis:
    """The axis from the beginning of the round to the last point of all series, with at most MOST_TICKS and one."""
    end = max(each.end for each in series)
    last = TIME_STEPS[-1]
    step = next((step for step in TIME_STEPS if end / step <= MOST_TICKS), last * ceil(end / last / MOST_TICKS))
    times = np.arange(0, end, step)
    # A time at a share of the plot's width, in percent.
    ticks = [{"at": round(100 * time / end, 2), "text": say_duration(time) if time else "0"} for time in times.tolist()]
    return TimeAxis(end, ticks, "".join(f"M{round(WIDTH * time / end)} 0v{HEIGHT}" for time in times[1:].tolist()))


def chart(panel: Panel, axis: TimeAxis, span: Span, colours: Mapping[str, int]) -> TimeChart:
    """The lines of a panel on the time axis, all on one scale from 0, with their means in a span.

    A test that ran several times has one line with gaps. `colours` has the numbers of the tests by their labels.
    """
    groups: dict[str, list[ReadSeries]] = {}
    for label, series in panel.series:
        groups.setdefault(label, []).append(series)
    drawn = {label: [_drawn(each) for each in group] for label, group in groups.items()}
    highest = max(float(np.max(values)) for parts in drawn.values() for _, values in parts)
    top = _round_up(highest, in_bytes=panel.series[0][1].unit == "B")
    lines = [
        Line(
            label,
            colours.get(label, number),
            "".join(_path(times / axis.end, values / top) for times, values in drawn[label]),
            "–" if (mean := mean_in(group, span)) is None else panel.kind.say(mean),
        )
        for number, (label, group) in enumerate(groups.items(), start=1)
    ]
    return TimeChart(panel.kind.heading, panel.kind.say(top), lines)


def stripe(span: Span, axis: TimeAxis) -> str:
    """The path of a line along the time axis, at the lower end of the plot."""
    left, right = _places(span, axis)
    return f"M{left} {HEIGHT}H{right}"


def area(span: Span, axis: TimeAxis) -> str:
    """The path around the part of the plot in which a span is."""
    left, right = _places(span, axis)
    return f"M{left} 0H{right}V{HEIGHT}H{left}Z"


def _places(span: Span, axis: TimeAxis) -> tuple[int, int]:
    return round(WIDTH * span.start / axis.end), round(WIDTH * span.end / axis.end)


def _drawn(series: ReadSeries) -> tuple[FloatArray, FloatArray]:
    """The times in seconds at which steps end, the first at its beginning, and the figures there."""
    rates = series.rates
    together = -(-len(rates) // MOST_POINTS)
    starts = np.arange(0, len(rates), together)
    counts = np.diff(np.append(starts, len(rates)))
    values = np.add.reduceat(rates, starts) / counts
    ends = series.start + series.step * (starts + counts)
    return np.append(series.start, ends), np.append(values[:1], values)


def _path(shares: FloatArray, heights: FloatArray) -> str:
    """Steps would show the same in twice the bytes."""
    x = np.rint(WIDTH * shares).astype(int).tolist()
    y = np.rint(HEIGHT * (1 - np.maximum(heights, 0))).astype(int).tolist()
    return "M" + "L".join(f"{left} {down}" for left, down in zip(x, y, strict=True))


def _round_up(value: float, *, in_bytes: bool) -> float:
    """The next 1, 2 or 5 times a power of ten, of bytes in their binary unit: the scale ends with a short number.

    1 for 0.
    """
    if value <= 0:
        return 1.0
    unit = 1024.0 ** max(0, floor(log(value, 1024))) if in_bytes else 1.0
    power = 10.0 ** floor(log10(value / unit))
    return unit * next(step * power for step in (1, 2, 5, 10) if step * power >= value / unit * (1 - 1e-9))
