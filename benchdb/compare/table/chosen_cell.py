"""One cell of a table, chosen: what the page says of it, and where its other views are. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchdb.compare.content import Content, Context
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.links import trend_of

from .content import cells
from .surface_links import Surfaces, cell_surface

# The address' parameter: `G-R-C`, as findings name cells. It changes no figure, so no selection has it.
CHOSEN = "cell"
KEY = re.compile(r"[0-9]{1,5}-[0-9]{1,5}-[0-9]{1,5}")
VIEWS = {"surface": "Surface", "slices": "Slices", "trend": "Trend"}


def add_views(content: Content, details: Context, surfaces: Surfaces) -> None:
    """Give each cell's detail its `views`: the addresses of its surface, slices and trend, those that there are."""
    lines = content["run_list"]
    baseline = next((line["id"] for line in lines if line["label"] == content["baseline"]), None)
    for placed in cells(content):
        if (detail := details.get(f"c{placed.key}")) is not None:
            detail["views"] = _views(placed.cell, baseline, surfaces)


def _views(cell: Cell, baseline: str | None, surfaces: Surfaces) -> dict[str, str]:
    if "test" not in cell:  # frozen under the first schema, which does not say what a cell is of
        return {}
    surface = cell_surface(cell, baseline, surfaces)
    own = {} if surface is None else {"surface": surface, "slices": surface}
    return own | ({"trend": trend_of(cell["runs"][0], cell)} if cell["mean"] is not None else {})


def as_key(text: str) -> str:
    """`G-R-C` as it stands, anything else empty: what a form sends becomes a part of an address."""
    return text if KEY.fullmatch(text) else ""


def show_chosen(asked: str, table: Context, here: str) -> Context:
    """The context of compare/views.html. `here` is the page's address without the choice. Marks the cell in `table`.

    `asked` is what the address says; where there is no such cell (any more), `lost` is True and nothing is chosen.
    """
    details: Mapping[str, Context] = table["details"]
    found = details.get(f"c{asked}") if asked else None
    default = next((key for key, detail in details.items() if "surface" in detail.get("views", ())), None)
    default = default or next(iter(details), None)
    shown = found or (details[default] if default else {})
    if found is not None:
        group, row, column = map(int, asked.split("-"))
        table["groups"][group]["rows"][row]["cells"][column]["chosen"] = True
    views = shown.get("views", {})
    return {
        "key": asked if found else None,
        "title": found and found["title"],
        "headline": found and found["headline"],
        "lost": bool(asked) and found is None,
        "default": default,
        "clear": here,
        "views": [{"name": name, "text": text, "href": views.get(name)} for name, text in VIEWS.items()],
        "choosable": bool(details),
    }
