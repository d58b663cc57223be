"""A surface (plain data, live or frozen) as the contexts of the partials that show it. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.runs.cells import Cell
from benchdb.runs.links import result_href
from benchdb.runs.present import show_cell, show_panel
from benchdb.runs.sizes import unbroken
from benchdb.runs.units import Unit
from benchdb.runs.words import direction

Context = dict[str, Any]
Content = Mapping[str, Any]


def show_table(surface: Content) -> Context:
    """The numbers of a surface: a row a file size, a column a record size."""
    unit, details, rows = Unit(surface["unit"], surface["base_unit"], surface["per"]), {}, []
    for i, (label, line) in enumerate(zip(surface["file_labels"], surface["cells"], strict=True)):
        cells = []
        for j, cell in enumerate(line):
            key = f"c{i}-{j}"
            cells.append(show_cell(cell, href=_href(cell), detail=key))
            if cell is not None:
                name = f"{surface['label']}, {label} file, {surface['record_labels'][j]} records"
                details[key] = show_panel(cell, name, unit, surface["command"])
        rows.append({"label": unbroken(label), "note": None, "cells": cells})
    arrow = direction(surface["higher_is_better"])
    return {
        "id": "surface-table",
        "label": surface["title"],
        "caption": None,
        "row_head": "File ↓ · records →",
        "columns": [
            {"label": unbroken(label), "unit": surface["unit"], "direction": arrow, "href": None}
            for label in surface["record_labels"]
        ],
        "groups": [{"label": None, "note": None, "rows": rows}],
        "details": details,
    }


def _href(cell: Cell | None) -> str:
    return "" if cell is None else result_href(cell["runs"][0], cell["ordinals"][0])


def show_chart(surface: Content) -> Context:
    """The context of web/partials/surface.html: plain matrices in the shown unit, null where there is no number."""

    def matrix(of_cell: Any) -> list[list[Any]]:
        return [[None if cell is None else of_cell(cell) for cell in line] for line in surface["cells"]]

    def shown(name: str) -> list[list[float | None]]:
        return matrix(lambda cell: None if cell[name] is None else cell[name] / surface["per"])

    sizes = surface["record_sizes"]
    # The slice that says most: the record size with the most file sizes, the larger one of several.
    chosen = max(sizes, key=lambda size: (sum(row[sizes.index(size)] is not None for row in surface["cells"]), size))
    keys = ("test", "metric", "unit", "record_sizes", "file_sizes", "marks")
    return {
        "data": {
            **{key: surface[key] for key in keys},
            "mean": shown("mean"),
            "sd": shown("sd"),
            "n": matrix(lambda cell: cell["n"]),
            "status": matrix(lambda cell: cell["status"]),
            "text": matrix(_chart_text),
        },
        "record_sizes": [
            {"bytes": size, "text": label, "selected": size == chosen}
            for size, label in zip(sizes, surface["record_labels"], strict=True)
        ],
    }


def _chart_text(cell: Cell) -> str | None:
    if cell["mean"] is None:
        return None if cell["error"] is None else str(cell["error"])
    return f"{cell['text']['mean']} ± {cell['text']['sd']}" if cell["text"]["sd"] else str(cell["text"]["mean"])
