"""A heat map as a table of cells, or as an area a colour for fine surfaces. Pure functions.

In areas, a cell is one unit wide and high, and the page stretches the drawing. Labels and edges beside the cells are
placed in per cent of the drawing's height or width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchdb.runs.cells.colour_areas import colour_areas

ROOMS = {6: "few", 9: "some", 13: "many"}  # by the number of record sizes; more leave no room for figures


@dataclass(frozen=True)
class HeatMap:
    """The classes of each cell, and the labels beside the cells.

    `classes` has a row a file size, the smallest first, with a cell a record size, and `figures` the texts of these
    cells, if there is room; `files` and `records` are the labels of the sizes. `file_ends` and `record_ends` name what
    ends just before a size (a cache, memory), by its index.
    """

    classes: Sequence[Sequence[str]]
    figures: Sequence[Sequence[str]]
    files: Sequence[str]
    records: Sequence[str]
    file_ends: Mapping[int, str]
    record_ends: Mapping[int, str]


def heat_cells(heat: HeatMap) -> dict[str, object]:
    """The rows of a table."""
    figures = heat.figures or [[""] * len(heat.records)] * len(heat.files)
    # The row of a file size: its label, what ends below it, and its cells.
    return {
        "room": next((room for most, room in ROOMS.items() if len(heat.records) <= most and heat.figures), ""),
        "rows": [
            {
                "label": heat.files[i],
                "end": heat.file_ends.get(i + 1, ""),
                "cells": [
                    (f"{classes} end".lstrip() if j in heat.record_ends else classes, figure)
                    for j, (classes, figure) in enumerate(zip(heat.classes[i], figures[i], strict=True))
                ],
            }
            for i in reversed(range(len(heat.files)))
        ],
        "columns": heat.records,
        "ends": [heat.record_ends.get(j, "") for j in range(len(heat.records))] if heat.record_ends else [],
    }


def heat_areas(heat: HeatMap) -> dict[str, object]:
    """The outline of the cells of each colour, and the labels beside them."""
    height, width = len(heat.files), len(heat.records)
    file_edges = [f"M0 {height - i}h{width}" for i in heat.file_ends]
    record_edges = [f"M{j} 0v{height}" for j in heat.record_ends]
    return {
        "height": height,
        "width": width,
        "areas": [{"colour": colour, "path": path} for colour, path in sorted(colour_areas(heat.classes).items())],
        "edges": "".join(file_edges + record_edges),
        "files": _beside({height - i - 0.5: text for i, text in enumerate(heat.files)}, height),
        "records": _beside({j + 0.5: text for j, text in enumerate(heat.records)}, width),
        "file_ends": _beside({height - i: text for i, text in heat.file_ends.items()}, height),
        "record_ends": _beside(heat.record_ends, width),
    }


def _beside(texts: Mapping[int, str] | Mapping[float, str], whole: int) -> list[dict[str, object]]:
    """The texts at a side of `whole` cells; each key is the number of cells before the text."""
    return [{"at": f"{100 * at / whole:.4g}", "text": text} for at, text in texts.items() if text]
