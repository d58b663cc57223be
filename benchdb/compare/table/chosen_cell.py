"""The chosen cell of a table: its headline and the links to its other views. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchdb.compare.content import Content, Context
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.links import trend_of

from .content import cells
from .surface_links import Surfaces, cell_surface

# The parameter of the address: `G-R-C`, as in findings. It is not part of selections, because it changes no figure.
CHOSEN = "cell"
KEY = re.compile(r"[0-9]{1,5}-[0-9]{1,5}-[0-9]{1,5}")
VIEWS = {"surface": "Surface", "slices": "Slices", "trend": "Trend"}


def add_views(content: Content, details: Context, surfaces: Surfaces) -> None:
    """Give each cell's detail its `views`: the addresses of its surface, slices and trend, if they exist."""
    lines = content["run_list"]
    baseline = next((line["id"] for line in lines if line["label"] == content["baseline"]), None)
    for placed in cells(content):
        if (detail := details.get(f"c{placed.key}")) is not None:
            detail["views"] = _views(placed.cell, baseline, surfaces)


def _views(cell: Cell, baseline: str | None, surfaces: Surfaces) -> dict[str, str]:
    if "test" not in cell:  # frozen under the first schema, whose cells do not name their test
        return {}
    surface = cell_surface(cell, baseline, surfaces)
    views = {} if surface is None else {"surface": surface, "slices": surface}
    return views | ({"trend": trend_of(cell["runs"][0], cell)} if cell["mean"] is not None else {})


def as_key(text: str) -> str:
    """The text if it has the form `G-R-C`, else "", because the value of a form becomes part of an address."""
    return text if KEY.fullmatch(text) else ""


def show_chosen(asked: str, table: Context, here: str) -> Context:
    """The context of compare/views.html; marks the chosen cell in `table`.

    `asked` is the key in the address, `here` the address of the page without it. If there is no such cell (any more),
    `lost` is True and no cell is chosen.
    """
    details: Mapping[str, Context] = table["details"]
    chosen = details.get(f"c{asked}") if asked else None
    default = next((key for key, detail in details.items() if "surface" in detail.get("views", ())), None)
    default = default or next(iter(details), None)
    shown = chosen or (details[default] if default else {})
    if chosen is not None:
        group, row, column = map(int, asked.split("-"))
        table["groups"][group]["rows"][row]["cells"][column]["chosen"] = True
    views = shown.get("views", {})
    return {
        "key": asked if chosen else None,
        "title": chosen and chosen["title"],
        "headline": chosen and chosen["headline"],
        "lost": bool(asked) and chosen is None,
        "default": default,
        "clear": here,
        "views": [{"name": name, "text": text, "href": views.get(name)} for name, text in VIEWS.items()],
        "choosable": bool(details),
    }
