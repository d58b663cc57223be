"""The content of a surface (schema `benchdb.surface/2`): plain data, read by pages, exports and permalinks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchdb.compare.content import Content, Measure, Placed

from .averages import averages, grouped, left_out, ratio_averages

SCHEMA = "benchdb.surface/2"


def measure(content: Content) -> Measure:
    """The measure of every cell."""
    names = ("metric", "unit", "base_unit", "per", "higher_is_better")
    return Measure(**{name: content[name] for name in names})


def cells(content: Content) -> Iterator[Placed]:
    """Every cell that was measured (or failed, or was deleted): run by run, a row a file size, a column a record size.

    `split` is the test, and the run if there are two; `key` is `RUN-FILE-RECORD`, counted from 0.
    """
    shared_measure, several = measure(content), len(content["surfaces"]) > 1
    for s, surface in enumerate(content["surfaces"]):
        split = f"{content['label']}, {surface['label']}" if several else content["label"]
        for i, (row, line) in enumerate(zip(content["file_labels"], surface["cells"], strict=True)):
            for j, (column, cell) in enumerate(zip(content["record_labels"], line, strict=True)):
                if cell is not None:
                    yield Placed(f"{s}-{i}-{j}", split, row, column, cell, shared_measure)


def derived(content: Content) -> dict[str, Any]:
    """The content with the figures computed from its cells: averages, the cells left out of them, and the ratio."""
    surfaces = content["surfaces"]
    grids = [surface["cells"] for surface in surfaces]
    groups, several = grouped(grids), len(surfaces) > 1
    return {
        **content,
        "surfaces": [
            {**surface, "averages": averages(surface["cells"], groups, content["statistic"])} for surface in surfaces
        ],
        "left_out": left_out(grids),
        "ratio": [[cell and cell.get("verdict") for cell in line] for line in grids[1]] if several else None,
        "ratio_averages": ratio_averages(grids, groups, higher_is_better=content["higher_is_better"]),
    }
