"""The content of a table (schema `benchdb.table/3`), read by pages, exports, findings and permalinks.

The axis with `metric` has the measure: each head if it is the columns, each row if it is the rows, each group if it is
the split. `cells` yields the cells of a table in reading order. docs/comparisons.md explains the keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchdb.compare.content import ComparedContent, Measure, Placed
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellWarning

SCHEMA = "benchdb.table/3"


@dataclass(frozen=True, slots=True)
class AxisName:
    """The dimensions of an axis or of the factor, and their common label."""

    names: list[str]
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePart:
    """A head, a row or a group: `values` has its value in each dimension of its axis, and `parts` the label.

    A value is a number in base units, or the text of the query string; None if it is unknown, or an id that people
    never see. `baseline` if it is the one with which the others are compared. The last five fields are
    the measure of its cells; all are None if another axis has the metric.
    """

    label: str
    parts: dict[str, str]
    values: dict[str, str | int | float | None]
    baseline: bool
    metric: str | None = None
    unit: str | None = None
    base_unit: str | None = None
    per: float | None = None
    higher_is_better: bool | None = None

    @property
    def measure(self) -> Measure | None:
        """The measure of its cells; None if another axis has the metric."""
        if self.metric is None or self.unit is None or self.base_unit is None or self.per is None:
            return None
        return Measure(self.metric, self.unit, self.base_unit, self.per, bool(self.higher_is_better))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow(TablePart):
    """A row with a cell for each head; None if nothing was measured."""

    cells: list[Cell | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGroup(TablePart):
    """The rows of one value of the split; `n` is the number of values behind the cells, in words."""

    n: str
    rows: list[TableRow]


@dataclass(frozen=True, slots=True)
class MeanRatio:
    """The geometric mean of the ratios of so many cells to the baseline, with its interval.

    `pairs` is the number of rounds, or campaigns, in which both sides were measured together and over which the mean
    is computed; 0 if the sides are not paired. All intervals of a table hold their means together with 95 %, and
    `verdict` has the kind of a cell's verdict. In contents frozen by the first release it is None, and
    each interval holds its mean alone. The further rounds of an undecided mean are those of a `CellVerdict`.
    """

    ratio: float | None
    low: float | None
    high: float | None
    cells: int
    pairs: int
    warnings: list[CellWarning]
    verdict: str | None = None
    rounds_for_precision: int | None = None
    rounds_to_decide: int | None = None


@dataclass(frozen=True, slots=True)
class MeanRatios:
    """The geometric means of a value of the factor (`row`), by what its cells measured; None with too few cells."""

    row: str
    metric: str
    device: MeanRatio | None
    cached: MeanRatio | None
    unknown: MeanRatio | None


@dataclass(frozen=True, slots=True)
class AcrossMachines:
    """The geometric means of a value of the factor (`row`) on so many machines, each over the same `cells`.

    `measured` is device, cached or unknown. `ratio` is the mean of the machines as a random sample, with its 95 %
    interval; on `holds_on` of them the own interval is on the same side of 1. The effect measured on another machine is
    expected between `expected_low` and `expected_high` with 95 %. `between_sd` is the standard deviation of ln ratio
    between machines without the part that the rounds explain.
    """

    row: str
    metric: str
    measured: str
    machines: int
    cells: int
    holds_on: int
    ratio: float
    low: float
    high: float
    expected_low: float
    expected_high: float
    between_sd: float


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about `cells` (keys `G-R-C`); those in `counted` are only part of a count.

    `kind` is one of docs/findings.md, `values` are the labels of the factor that the sentence is about. `p_adjusted` is
    None if nothing was tested. `warnings` are those of verdicts on these cells.
    """

    text: str
    cells: list[str]
    counted: list[str]
    p_adjusted: float | None
    warnings: list[CellWarning]
    kind: str
    values: list[str]


@dataclass(frozen=True, slots=True)
class ChangedQuantity:
    """A quantity that changed: the means of both sides in `unit`, divided by `per`, and rival ÷ baseline.

    `ratio` is that of geometric means, between `low` and `high`; None is an infinite end. `p` is of a change of at most
    5 %, `p_adjusted` is corrected for all quantities of all rivals of the baseline.
    """

    name: str
    unit: str
    per: str
    baseline: float
    rival: float
    ratio: float
    low: float | None
    high: float | None
    p: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class GoesWithPair:
    """A rival and its baseline, by the labels of the factor; of so many `cells`, `different` have a difference.

    Of so many `tested` quantities so many `changed`; `quantities` are the first of these, the most certain change
    first. Counters are divided by the `work`: operation, byte or round. `runs` are those of both sides.
    """

    rival: str
    baseline: str
    work: str
    cells: int
    different: int
    runs: list[str]
    tested: int
    changed: int
    quantities: list[ChangedQuantity]


@dataclass(frozen=True, slots=True)
class GoesWith:
    """What goes with the differences: the pairs whose runs have samples of the machine; `left_out` counts others."""

    pairs: list[GoesWithPair]
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableContent(ComparedContent):
    """A table; `baseline` is the label of the factor's value with which the others are compared.

    `warnings` are about the order in which its runs were measured. `goes_with` is there in a shared table whose runs
    have samples of the machine; contents that were frozen before it existed have none.
    """

    factor: AxisName
    rows: AxisName
    columns: AxisName
    split: AxisName | None
    baseline: str
    heads: list[TablePart]
    groups: list[TableGroup]
    geometric_means: list[MeanRatios]
    across_machines: list[AcrossMachines]
    findings: list[Finding]
    warnings: list[CellWarning]
    goes_with: GoesWith | None = None


class TablePlace(NamedTuple):
    """The place of a measured cell: its key `G-R-C`, the parts that it belongs to, and its measure."""

    key: str
    group: TableGroup
    row: TableRow
    head: TablePart
    cell: Cell
    measure: Measure


def cells(content: TableContent) -> Iterator[Placed]:
    """Every cell that was measured (or failed, or was deleted), group by group and row by row."""
    for key, group, row, head, cell, measure in measured(content):
        yield Placed(key, group.label, row.label, head.label, cell, measure)


def measured(content: TableContent) -> Iterator[TablePlace]:
    """Every measured cell with its place, in the order of `cells`."""
    heads = [(head, head.measure) for head in content.heads]
    for g, group in enumerate(content.groups):
        of_group = group.measure
        for r, row in enumerate(group.rows):
            of_row = row.measure or of_group
            for c, ((head, of_head), cell) in enumerate(zip(heads, row.cells, strict=True)):
                if cell is not None:
                    measure = of_head or of_row
                    assert measure is not None  # one of the axes has the measure
                    yield TablePlace(f"{g}-{r}-{c}", group, row, head, cell, measure)
