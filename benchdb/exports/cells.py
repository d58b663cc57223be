"""The measured cells of a table or surface one after the other, for formats that are lists of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """A cell (benchdb/runs/cells.py) with its place; `unit` is the base unit that its figures are in."""

    split: str
    row: str
    column: str
    metric: str
    unit: str
    cell: Mapping[str, Any]


def cells(content: Mapping[str, Any]) -> Iterator[Row]:
    """In the order in which people read them."""
    metric, unit = content["metric"], content["base_unit"]
    for split, row, column, cell in _places(content):
        if cell is not None:
            yield Row(split, row, column, metric, unit, cell)


def _places(content: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Any]]:
    if "groups" in content:
        for group in content["groups"]:
            for row in group["rows"]:
                for head, cell in zip(content["heads"], row["cells"], strict=True):
                    yield group["label"], row["label"], head, cell
        return
    for label, line in zip(content["file_labels"], content["cells"], strict=True):
        for head, cell in zip(content["record_labels"], line, strict=True):
            yield content["label"], label, head, cell
