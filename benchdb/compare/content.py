"""The content of a table (schema `benchdb.table/2`): plain data, read by pages, exports, findings and permalinks.

Where `metric` is on the columns each head has the measure's five keys, where it is on the rows each row has them, where
it is on the split each group. `measure` finds them; `cells` goes through a table in the order in which people read it.
docs/comparisons.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from benchdb.runs.cells import Cell
from benchdb.runs.units import Unit

SCHEMA = "benchdb.table/2"
SCHEMA_1 = "benchdb.table/1"

Content = Mapping[str, Any]
Part = Mapping[str, Any]  # a group, a row or a head


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


NO_MEASURE: dict[str, None] = dict.fromkeys(Measure._fields)


class Placed(NamedTuple):
    """A measured cell with its place: `key` is `G-R-C`, the labels are "" where the axis has none."""

    key: str
    split: str
    row: str
    column: str
    cell: Cell
    measure: Measure


def measure(content: Content, group: Part, row: Part, head: Part) -> Measure:
    """The measure of the cell of this group, row and head."""
    return next(found for part in (head, row, group) if (found := _own(part)))


def _own(part: Part) -> Measure | None:
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


def measured(content: Content) -> Iterator[tuple[str, tuple[Part, Part, Part], Cell, Measure]]:
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


def upgraded(content: Content) -> Content:
    """A stored content as schema /2; one that is so already, or is a surface, comes back as it is.

    For pages and exports. The stored content itself never changes.
    """
    if content.get("schema") != SCHEMA_1:
        return content
    names = ("rows", "columns", "split")
    axes = {name: _axis(content[name]) for name in names}
    shared = {name: content[name] for name in NO_MEASURE}
    heads = [{**_part(axes["columns"], label), **shared} for label in content["heads"]]
    groups = [
        {
            **_part(axes["split"], group["label"]),
            **group,
            "rows": [{**_part(axes["rows"], row["label"]), **row, "cells": _cells(row)} for row in group["rows"]],
        }
        for group in content["groups"]
    ]
    kept = {key: value for key, value in content.items() if key not in NO_MEASURE}
    return {
        **kept,
        **axes,
        "schema": SCHEMA,
        "factor": axes["rows"],
        "heads": heads,
        "groups": groups,
        "statistic": "mean",
        "margin": 0.05,
        "level": 0.05,
        "correction": "benjamini_hochberg",
        "findings": [],
        "geometric_means": [],
        "recomputing": [],
    }


def _axis(axis: Part | str | None) -> dict[str, Any] | None:
    """`{"name", "label"}` of /1 as `{"names", "label"}`; "" (no split) as None."""
    return {"names": [axis["name"]], "label": axis["label"]} if isinstance(axis, Mapping) else None


def _part(axis: Part | None, label: str) -> dict[str, Any]:
    """A group, row or head of /2 as far as its label says it."""
    parts = dict.fromkeys(axis["names"], label) if axis else {}
    return {"label": label, "parts": parts, "baseline": False, **NO_MEASURE}


def _cells(row: Part) -> list[Cell | None]:
    """The cells of a row of /1; its baseline is a row."""
    return [cell and _cell(cell, is_baseline=row["baseline"]) for cell in row["cells"]]


def _cell(cell: Cell, *, is_baseline: bool) -> Cell:
    several = {"run_means": cell["values"]} if len(cell["runs"]) > 1 else {}
    own = {"baseline": True} if is_baseline else {}
    return {**cell, "text": {**cell["text"], "shown": cell["text"]["mean"]}, **several, **own}
