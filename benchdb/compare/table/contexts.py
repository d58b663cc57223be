"""The contexts of the partials of a table's page: findings, legend, geometric means and runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from .cell_views.surface_links import SurfaceLinks


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding for web/partials/findings.html: the link jumps to the first of its `cells` (anchors).

    The text is `before`, `linked` and `after`.
    """

    before: str
    linked: str
    after: str
    href: str | None
    cells: str
    folded: bool


@dataclass(frozen=True, slots=True)
class TableLegend:
    """The marks of a table to explain, for compare/legend.html: whether there is such a mark, and the words for it.

    `statistic` is None if the large numbers are means. `strips` if any cell has one; `centred` is the baseline
    in their middle, if there is one. `sortable` if the heads sort the rows.
    """

    factor: str
    judged: bool
    margin: str
    level: str
    correction: str
    statistic: str | None
    best: bool
    tails: bool
    ram: bool
    clk: bool
    warned: bool
    strips: bool
    centred: str | None
    sortable: bool


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
