"""What the contents of tables, surfaces and trends share: plain data, read by pages, exports and permalinks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from benchdb.runs.cells.cell import Cell
from benchdb.wording.units import Unit

MOST_CELLS = 20_000  # of a table, including those without a measurement

Content = Mapping[str, Any]  # a table, surface or trend as it is stored and exported
Context = dict[str, Any]  # what a template shows


class Measure(NamedTuple):
    """What a cell's figures are: figure in `unit` = figure in `base_unit` / `per`."""

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
    """A measured cell with its place: `key` is `G-R-C`, the labels are "" where the axis has none."""

    key: str
    split: str
    row: str
    column: str
    cell: Cell
    measure: Measure
