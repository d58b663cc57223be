"""The contexts of the partials of a table's page: findings, legend, geometric means, runs and bars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from benchdb.runs.cells.cell_context import ShownCell

from .cell_views.surface_links import SurfaceLinks


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding for web/partials/findings.html: the link jumps to the first of its `cells` (anchors)."""

    text: str
    href: str | None
    cells: str
    folded: bool


@dataclass(frozen=True, slots=True)
class TableLegend:
    """The marks of a table to explain, for compare/legend.html: whether there is such a mark, and the words for it.

    `statistic` is None if the large numbers are means.
    """

    factor: str
    judged: bool
    margin: str
    level: str
    correction: str
    statistic: str | None
    best: bool
    ram: bool
    clk: bool
    warned: bool


@dataclass(frozen=True, slots=True)
class ShownMean:
    """A geometric mean of ratios: the change in words, its interval if known, the number of cells, and warnings."""

    change: str
    interval: str | None
    cells: str
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class MeansRow:
    """The geometric means of a value of the factor, one for each of the table's kinds."""

    label: str
    means: list[ShownMean | None]


@dataclass(frozen=True, slots=True)
class ShownMeans:
    """The context of compare/geometric_means.html.

    `better` is the sentence on which changes are good, `machines` are sentences about the means on several machines.
    """

    baseline: str
    kinds: list[str]
    rows: list[MeansRow]
    better: str
    machines: list[str]


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run of the table with its page, and its surfaces if there are any."""

    label: str
    href: str
    tool: str
    machine: str
    rounds: int
    started_at: datetime | date | str
    surface: SurfaceLinks | None


@dataclass(frozen=True, slots=True)
class ShownBar:
    """A bar of compare/bars.html; `end`, `low`, `high` and `baseline` are lengths in SVG, in per cent of the scale.

    `key` is the cell's, `detail` that of its panel. `end` is None without a figure, `low` and `high` without an
    interval, which is `cut` if it is longer than the scale. `unit` is None if the panel has it; `pad` are the digits
    that the figure lacks.
    """

    key: str
    detail: str
    label: str
    series: int
    cell: ShownCell
    unit: str | None
    end: str | None = None
    low: str | None = None
    high: str | None = None
    cut: bool = False
    baseline: str | None = None
    pad: str = ""


@dataclass(frozen=True, slots=True)
class BarPart:
    """The bars of one value of the axis of parts."""

    label: str
    bars: list[ShownBar]


@dataclass(frozen=True, slots=True)
class BarPanel:
    """A panel; `unit` is None if its bars have several."""

    label: str
    unit: str | None
    parts: list[BarPart]

    @property
    def bars(self) -> list[ShownBar]:
        """The bars of all parts."""
        return [bar for part in self.parts for bar in part.bars]


@dataclass(frozen=True, slots=True)
class BarPanels:
    """All panels. `room` is the width of the longest figure in characters; `baseline` names the dashed line."""

    panels: list[BarPanel]
    room: int
    own_scales: bool
    intervals: bool
    baseline: str | None


@dataclass(frozen=True, slots=True)
class TooManyBars:
    """The number of bars of a table that is too large, and the largest possible number."""

    too_many: int
    most: int
