"""The contexts of the partials of a trend's page: change points, chart and table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from benchdb.runs.cells.cell_context import ShownCell
from benchdb.runs.cells.measured_table import TableColumn
from benchdb.runs.cells.panel import CellPanel

from .content import TrendPoint


@dataclass(frozen=True, slots=True)
class ShownPoint:
    """A change point above the chart; the link leads to its run in the table."""

    kind: str
    text: str
    href: str
    run: str


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A run in the table; `changed` is what changed since the run before it, `point` the change point there."""

    id: str
    run: str
    time: datetime | date | str
    kernel: str | None
    tool: str
    outlier: bool
    cells: list[ShownCell]
    changed: str | None
    point: TrendPoint | None


@dataclass(frozen=True, slots=True)
class HistoryGroup:
    """The runs of a series, the newest first; the label is None if there is one series."""

    label: str | None
    rows: list[HistoryRow]


@dataclass(frozen=True, slots=True)
class HistoryTable:
    """The table of compare/trend_body.html: a `MeasuredTable` whose rows are runs."""

    id: str
    label: str
    columns: Sequence[TableColumn]
    groups: Sequence[HistoryGroup]
    details: Mapping[str, CellPanel]


@dataclass(frozen=True, slots=True)
class TrendRow:
    """A horizontal line with the figure at its height (pixels from the top)."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class TrendTick:
    """A tick of the horizontal axis; `x` is a length in SVG, `title` the whole text of a shortened one."""

    x: float
    text: str
    under: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class TrendEvent:
    """A change of the environment between two runs."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class PlottedRun:
    """A run's mean with its interval; `y` is None without a figure. `detail` is the key of its panel."""

    detail: str
    href: str
    x: float
    y: float | None = None
    low: float | None = None
    high: float | None = None
    odd: bool = False


@dataclass(frozen=True, slots=True)
class TrendLevel:
    """The level between two change points."""

    start: float
    end: float
    y: float


@dataclass(frozen=True, slots=True)
class TrendMark:
    """A change point: `▼ 12 % slower`; `before` if the text is on the left, because there is no room on the right."""

    x: float
    y: float
    before: bool
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class PlottedSeries:
    """A line of the chart; `number` is its colour, 1 to 7."""

    number: int
    label: str
    runs: list[PlottedRun]
    levels: list[TrendLevel]
    marks: list[TrendMark]


@dataclass(frozen=True, slots=True)
class TrendChart:
    """The context of compare/trend_chart.html; heights in pixels, widths as lengths in SVG.

    `odd` if a run was set aside, `absent` if a run has no figure, `turned` if the texts of the ticks are.
    """

    label: str
    quantity: str
    height: int
    top: int
    bottom: int
    turned: bool
    rows: list[TrendRow]
    ticks: list[TrendTick]
    events: list[TrendEvent]
    several: bool
    odd: bool
    absent: bool
    series: list[PlottedSeries]
