"""The common types of the contents of tables, surfaces and trends, which pages, exports and permalinks read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdb.runs.cells.cell import Cell
from benchdb.wording.units import Unit

MOST_CELLS = 20_000  # of a table, including those without a measurement

Content = Mapping[str, Any]  # a table, surface or trend as it is stored and exported
Context = dict[str, Any]  # the values of a template


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
