"""The common types of the contents of tables, surfaces and trends, which pages, exports and permalinks read.

A content holds everything that its page shows. It is immutable, and its fields are the keys of its JSON
(docs/comparisons.md, docs/surfaces.md, docs/trends.md); `benchdb.compare.content_json` converts both ways.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from benchdb.runs.cells.cell import Cell
from benchdb.wording.units import Unit

MOST_CELLS = 20_000  # of a table, including those without a measurement


class Measure(NamedTuple):
    """The metric and units of a cell's figures: figure in `unit` = figure in `base_unit` / `per`."""

    metric: str
    unit: str
    base_unit: str
    per: float
    higher_is_better: bool

    @property
    def shown(self) -> Unit:
        """The unit that readers see."""
        return Unit(self.unit, self.base_unit, self.per)


class Placed(NamedTuple):
    """A measured cell with its position: `key` is `G-R-C`, a label is "" if the axis has none."""

    key: str
    split: str
    row: str
    column: str
    cell: Cell
    measure: Measure


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in the list of runs; `started_at` is the text of `wording.times.known_start`.

    `parse` and `parser_version` are those of its current parse.
    """

    id: str
    label: str
    machine: str
    kernel: str | None
    started_at: str
    rounds: int
    tool: str
    command: str
    parse: int | None
    parser_version: str | None


@dataclass(frozen=True, slots=True)
class DifferentValue:
    """A value in words, and the labels of the runs that have it."""

    value: str
    where: list[str]


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact besides the factor in which runs differ; `inside` are the labels with cells whose runs differ."""

    name: str
    label: str
    severe: bool
    values: list[DifferentValue]
    inside: list[str]


@dataclass(frozen=True, slots=True)
class SharedFact:
    """A fact of the machine or its storage that is the same in all runs, in words."""

    name: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact with its values in words before and after a change."""

    name: str
    label: str
    severe: bool
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What tables, surfaces and trends have in common.

    `query` is the selection with nothing left open. `runs` are the ids of the runs with cells, `run_list` describes
    them; `computing` are those whose statistics are still to be computed.
    """

    schema: str
    title: str
    subtitle: str
    query: str
    notes: list[str]
    runs: list[str]
    run_list: list[RunLine]
    computing: list[str]
    statistics_version: int
    benchdb_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedContent(Content):
    """What tables and surfaces have in common: the shown statistic, the verdicts, and the differences of the runs.

    Cells are equivalent if the 90 % interval of their ratio is within ± `margin`. `level` is that of the tests, whose p
    have the `correction`. The runs in `recomputing` show the previous version of their statistics. `shared` is the
    hardware and system of all runs; contents that were frozen before it existed have none.
    """

    statistic: str
    margin: float
    level: float
    correction: str
    differences: list[Difference]
    recomputing: list[str]
    shared: list[SharedFact] = field(default_factory=list)
