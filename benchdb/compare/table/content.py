"""The content of a table (schema `benchdb.table/2`): plain data, read by pages, exports, findings and permalinks.

Where `metric` is on the columns each head has the measure's five keys, where it is on the rows each row has them, where
it is on the split each group. `measure` finds them; `cells` goes through a table in the order in which people read it.
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
    """The measure that this part says; None where another axis has the metric."""
    if not part.get("metric"):
        return None
    return _measure(part["metric"], part["unit"], part["base_unit"], part["per"], part["higher_is_better"])


_measure = lru_cache(maxsize=1000)(Measure)  # a table has few, and asks for each of its cells


def keys_of(found: Measure | None) -> dict[str, Any]:
    """The five keys of a head, row or group; None each where another axis has the metric."""
    return dict(NO_MEASURE) if found is None else found._asdict()


def cells(content: Content) -> Iterator[Placed]:
    """Every cell that was measured (or failed, or was deleted), group by group and row by row."""
    for key, (group, row, head), cell, of in measured(content):
        yield Placed(key, group["label"], row["label"], head["label"], cell, of)


def measured(content: Content) -> Iterator[tuple[str, tuple[TablePart, TablePart, TablePart], Cell, Measure]]:
    """The same with key, group, row and head as they are."""
    heads = [(head, _own(head)) for head in content["heads"]]
    for g, group in enumerate(content["groups"]):
        of_group = _own(group)
        for r, row in enumerate(group["rows"]):
            of_row = _own(row) or of_group
            for c, ((head, of_head), cell) in enumerate(zip(heads, row["cells"], strict=True)):
                if cell is not None:
                    of = of_head or of_row
                    assert of is not None  # one of the axes has it
                    yield f"{g}-{r}-{c}", (group, row, head), cell, of
