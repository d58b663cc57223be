"""The cells of a table that were compared with a baseline."""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.compare.content import Measure
from benchdb.compare.table.geometric import kind_of_cells
from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict

NOT_COUNTED = ("failed", "clock", "deleted")  # reasons of verdicts whose ratio counts in no mean


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A cell with a verdict, and its baseline.

    `index` is that of the cell in its grid, `value` its label of the factor, `place` is equal for rivals. `measured` is
    device, cached or unknown; empty if one side measured memory and the other the device.
    """

    index: int
    key: str
    value: str
    place: int
    cell: Cell
    base: Cell
    verdict: CellVerdict
    measure: Measure
    measured: str

    @property
    def counts(self) -> bool:
        """Whether its ratio may count in a mean."""
        return self.verdict.ratio is not None and self.verdict.reason not in NOT_COUNTED and bool(self.measured)


def compared_cells(table: Grid) -> list[ComparedCell]:
    """The cells that were compared with a baseline, in reading order."""
    return [
        ComparedCell(
            index=index,
            key=table.keys[index],
            value=table.value_of(index),
            place=place,
            cell=cell,
            base=table.cells[base],
            verdict=cell.verdict,
            measure=table.measures[index],
            measured=kind_of_cells((cell, table.cells[base])),
        )
        for index, (cell, base, place) in enumerate(
            zip(table.cells, table.base.tolist(), table.place.tolist(), strict=True)
        )
        if cell.verdict is not None and base >= 0
    ]
