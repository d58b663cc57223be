"""A chart of a table: its panels, positions, series and marks, whatever draws them. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.compare.content import Measure

from .scale import Scale

MOST_MARKS = 600  # of a chart on a page


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A cell: its key `G-R-C`, the indices of its series and position, and its figure with the 95 % interval.

    The figure is a ratio to the baseline, or in the unit of the panel. `low` and `high` are None without an interval.
    `filled` if a difference from the baseline is established, or in charts of figures for every mark. `pale` if the
    cell measured memory or the clock of its tool was coarse.
    """

    key: str
    series: int
    position: int
    value: float
    low: float | None
    high: float | None
    filled: bool
    pale: bool


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """A value of the factor: its label, and its colour from 1 to 7 (`benchdb.wording.colours`)."""

    label: str
    colour: int


@dataclass(frozen=True, slots=True)
class ChartPanel:
    """The marks of one measure at one value of the remaining dimensions; `positions` are the indices that it has."""

    label: str
    measure: Measure
    positions: list[int]
    marks: list[ChartMark]
    scale: Scale


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart. In an `ordered` chart positions are sizes or numbers from left to right, and lines connect the marks;
    else they are rows.

    `positions` are the labels of all positions, `along` is the name of their dimension. `baseline` is the label of the
    value with which the others are compared, None in a chart of figures.
    """

    panels: list[ChartPanel]
    series: list[ChartSeries]
    positions: list[str]
    along: str
    ordered: bool
    baseline: str | None


@dataclass(frozen=True, slots=True)
class TooManyMarks:
    """The number of marks of a table that is too large to draw, and the largest possible number."""

    too_many: int
    most: int
