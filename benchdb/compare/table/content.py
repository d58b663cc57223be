"""The content of a table (schema `benchdb.table/2`): plain data, read by pages, exports, findings and permalinks.

The axis with `metric` has the five keys of the measure: each head if it is the columns, each row if it is the rows,
each group if it is the split. `measure` finds them; `cells` yields the cells of a table in reading order.
docs/comparisons.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from benchdb.compare.content import Content, Measure, Placed
from benchdb.runs.cells.cell import Cell

SCHEMA = "benchdb.table/2"


TablePart = Mapping[str, Any]  # a group, a row or a head


NO_MEASURE: dict[str, None] = dict.fromkeys(Measure._fields)


def measure(content: Content, group: TablePart, row: TablePart, head: TablePart) -> Measure:
    """The measure of the cell of this group, row and head."""
    return next(found for part in (head, row, group) if (found := _own(part)))


def _own(part: TablePart) -> Measure | None:
    """The measure of this part; None if another axis has the metric."""
    if not part.get("metric"):
        return None
    return _measure(part["metric"], part["unit"], part["base_unit"], part["per"], part["higher_is_better"])


_measure = lru_cache(maxsize=1000)(Measure)  # a table has few measures, and many cells


def keys_of(own_measure: Measure | None) -> dict[str, Any]:
    """The five keys of a head, row or group; each None if another axis has the metric."""
    return dict(NO_MEASURE) if own_measure is None else own_measure._asdict()


def cells(content: Content) -> Iterator[Placed]:
    """Every cell that was measured (or failed, or was deleted), group by group and row by row."""
    for key, (group, row, head), cell, of in measured(content):
        yield Placed(key, group["label"], row["label"], head["label"], cell, of)


def measured(content: Content) -> Iterator[tuple[str, tuple[TablePart, TablePart, TablePart], Cell, Measure]]:
    """The key, (group, row, head), cell and measure of every cell, in the order of `cells`."""
    heads = [(head, _own(head)) for head in content["heads"]]
    for g, group in enumerate(content["groups"]):
        of_group = _own(group)
        for r, row in enumerate(group["rows"]):
            of_row = _own(row) or of_group
            for c, ((head, of_head), cell) in enumerate(zip(heads, row["cells"], strict=True)):
                if cell is not None:
                    of = of_head or of_row
                    assert of is not None  # one of the axes has the measure
                    yield f"{g}-{r}-{c}", (group, row, head), cell, of
