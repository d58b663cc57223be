"""The sizes and test parameters in which an article's figures and runs are shown beside each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from benchdb.compare.query.dimensions import DimensionValue, settings_value
from benchdb.compare.query.file_to_memory import NAME as FILE_TO_MEMORY
from benchdb.compare.query.file_to_memory import step_of
from benchdb.runs.cells.cell import Cell
from benchdb.runs.quantities.columns import BoolArray, Entry, Quantities

SIZES = ("file_size", "record_size", "threads", "params")
LARGEST = ("file_size", "record_size")  # the choice among several values of the runs, if an article has none of them


@dataclass(frozen=True)
class Sizes:
    """The shown values of each dimension of SIZES, or of file size ÷ memory in place of the file size.

    `published` and `own` are the figures and quantities with these values.
    """

    values: Mapping[str, Sequence[DimensionValue]]
    published: Sequence[Cell]
    own: BoolArray


def common_sizes(
    cells: Sequence[Cell], quantities: Quantities, own: BoolArray, memory: Mapping[UUID, int | None]
) -> Sizes:
    """For each test the values that both sides have; else all of the article, and the largest of the runs.

    Files of different sizes are compared by their ratio to the memory if both sides have an equal one. `own` are the
    quantities of figures that both sides have, `memory` is in bytes for each run, published or not.
    """
    by_ratio = _with_common_ratio(cells, quantities, own, memory)
    sizes: Sequence[str] = SIZES
    values: dict[str, dict[DimensionValue, None]] = {}
    if by_ratio is not None:
        step, cells, own = by_ratio
        values[FILE_TO_MEMORY] = {step: None}
        sizes = SIZES[1:]
    values |= {name: {} for name in sizes}
    kept: list[Cell] = []
    mask = np.zeros_like(own)
    for test in dict.fromkeys(str(cell.test) for cell in cells):
        of_test = own & quantities.having("test", {test})
        published: Sequence[Cell] = [cell for cell in cells if cell.test == test]
        for name in sizes:
            published, of_test = _narrowed(name, published, quantities, of_test)
            found = [*(value_of(cell, name) for cell in published), *quantities.values(name, of_test)]
            values[name] |= dict.fromkeys(found)
        kept += published
        mask |= of_test
    return Sizes({name: list(found) for name, found in values.items()}, kept, mask)


def value_of(cell: Cell, name: str) -> DimensionValue:
    """The value of a cell in a dimension of SIZES."""
    value: DimensionValue = settings_value(cell.params or {}) if name == "params" else getattr(cell, name)
    return value


def _narrowed(
    name: str, cells: Sequence[Cell], quantities: Quantities, own: BoolArray
) -> tuple[Sequence[Cell], BoolArray]:
    """What both sides have in common in one dimension; else all cells, and the largest of the runs."""
    of_runs = quantities.values(name, own)
    if common := {value_of(cell, name) for cell in cells} & set(of_runs):
        return [cell for cell in cells if value_of(cell, name) in common], own & quantities.having(name, common)
    if name in LARGEST and of_runs:
        largest = max(of_runs, key=lambda size: size if isinstance(size, int) else 0)
        own = own & quantities.having(name, {largest})
    return cells, own


def _with_common_ratio(
    cells: Sequence[Cell], quantities: Quantities, own: BoolArray, memory: Mapping[UUID, int | None]
) -> tuple[int, Sequence[Cell], BoolArray] | None:
    """The file size ÷ memory that both sides have, and what has it; None if none, or if a size is common.

    Of several, the one that most runs have; of these the greatest.
    """
    if {cell.file_size for cell in cells} & set(quantities.values("file_size", own)):
        return None
    of_cells = {id(cell): step_of(cell.file_size, memory.get(UUID(cell.runs[0]))) for cell in cells}
    by_step: dict[int, BoolArray] = defaultdict(lambda: np.zeros_like(own))
    runs: dict[int, set[UUID]] = defaultdict(set)
    for of_parse in quantities.places:
        mask = own & of_parse.mask(len(quantities))
        sizes = quantities.values("file_size", mask)
        for run in of_parse.runs:
            for step, of_step in _by_step(sizes, memory.get(run)).items():
                by_step[step] |= mask & quantities.having("file_size", of_step)
                runs[step].add(run)
    common = set(runs) & set(of_cells.values())
    if not common:
        return None
    chosen = max(common, key=lambda step: (len(runs[step]), step))
    return chosen, [cell for cell in cells if of_cells[id(cell)] == chosen], by_step[chosen]


def _by_step(sizes: Sequence[Entry], memory: int | None) -> Mapping[int, set[Entry]]:
    """The file sizes of each step; there may be 100,000 sizes, but only some hundred steps."""
    by_step: dict[int, set[Entry]] = defaultdict(set)
    for size in sizes:
        step = step_of(size if isinstance(size, int) else None, memory)
        if step is not None:
            by_step[step].add(size)
    return by_step
