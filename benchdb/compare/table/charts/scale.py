"""The scale of a chart: its bounds, its ticks, and the place of a figure on it. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple

from benchdb.compare.trend.axis import rows
from benchdb.wording.axes import Tick, figure_ticks, is_wide, ratio_ticks

LEAST_RATIO = 1.01  # a scale of ratios is at least so far from 1
EDGE = 0.04  # of the scale on each side of the outermost figures
MOST_TICKS = 5


class Figure(NamedTuple):
    """A figure with its interval; the ends are None without one."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale from `low` to `high`."""

    low: float
    high: float
    logarithmic: bool
    ticks: list[Tick]

    def share(self, figure: float) -> float:
        """The place of a figure from 0 to 1; a figure outside is placed at the edge."""
        inside = min(max(figure, self.low), self.high)
        if self.logarithmic:
            return log(inside / self.low) / log(self.high / self.low)
        return (inside - self.low) / (self.high - self.low)


def scale_of_ratios(figures: Sequence[Figure]) -> Scale:
    """The logarithmic scale of all ratios and of 1; intervals have at most as much room as the ratios on each side."""
    logs = [log(figure.value) for figure in figures]
    low, high = min([0.0, *logs]), max([0.0, *logs])
    room = max(high - low, log(LEAST_RATIO))
    ends = [log(end) for figure in figures for end in (figure.low, figure.high) if end is not None and end > 0]
    low, high = max(min([low, *ends]), low - room / 2), min(max([high, *ends]), high + room / 2)
    edge = EDGE * max(high - low, log(LEAST_RATIO))
    bounds = exp(low - edge), exp(high + edge)
    return Scale(*bounds, logarithmic=True, ticks=ratio_ticks(*bounds, most=MOST_TICKS))


def scale_of_figures(figures: Sequence[Figure]) -> Scale:
    """The scale of figures: logarithmic if they span more than 30 times the smallest, else it begins at 0."""
    values = [figure.value for figure in figures]
    if is_wide(values):
        low, high = min(values), max(values)
        edge = (high / low) ** EDGE
        return Scale(low / edge, high * edge, logarithmic=True, ticks=figure_ticks(low / edge, high * edge, MOST_TICKS))
    top = max(values, default=0.0)
    ends = [min(figure.high, 1.5 * top) for figure in figures if figure.high is not None]
    low, high = min([0.0, *values]), max([0.0, top, *ends])
    high = high + EDGE * (high - low) if high > low else low + 1
    return Scale(low, high, logarithmic=False, ticks=[Tick(*row) for row in rows(low, high)])
