"""The chosen cell of a table: its headline and the links to its other views. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.links import trend_of
from benchdb.runs.cells.panel import CellPanel, ViewedPanel

from .content import TableContent
from .surface_links import Surfaces, cell_surface

# The parameter of the address: `G-R-C`, as in findings. It is not part of selections, because it changes no figure.
CHOSEN = "cell"
KEY = re.compile(r"[0-9]{1,5}-[0-9]{1,5}-[0-9]{1,5}")
VIEWS = {"surface": "Surface", "slices": "Slices", "trend": "Trend"}


@dataclass(frozen=True, slots=True)
class CellView:
    """A link to another view of the chosen cell; `href` is None if this cell has no such view."""

    name: str
    text: str
    href: str | None


@dataclass(frozen=True, slots=True)
class ChosenCell:
    """The context of compare/views.html.

    `key`, `title` and `headline` are None if no cell is chosen; `lost` if the address names a cell that is not there.
    `default` is the key of the panel whose views are offered then, `clear` the address without a chosen cell.
    """

    key: str | None
    title: str | None
    headline: str | None
    lost: bool
    default: str | None
    clear: str
    views: list[CellView]
    choosable: bool


def views_of(content: TableContent, cell: Cell, surfaces: Surfaces) -> dict[str, str]:
    """The addresses of the cell's surface, slices and trend, if they exist."""
    baseline = next((line.id for line in content.run_list if line.label == content.baseline), None)
    surface = cell_surface(cell, baseline, surfaces)
    views = {} if surface is None else {"surface": surface, "slices": surface}
    return views | ({"trend": trend_of(cell.runs[0], cell)} if cell.mean is not None else {})


def as_key(text: str) -> str:
    """The text if it has the form `G-R-C`, else "", because the value of a form becomes part of an address."""
    return text if KEY.fullmatch(text) else ""


def show_chosen(asked: str, details: Mapping[str, CellPanel], here: str) -> ChosenCell:
    """The chosen cell of a table with these panels.

    `asked` is the key in the address, `here` the address of the page without it.
    """
    chosen = details.get(f"c{asked}") if asked else None
    default = next((key for key, panel in details.items() if "surface" in _views(panel)), None)
    default = default or next(iter(details), None)
    shown = chosen or (details[default] if default else None)
    views = _views(shown)
    return ChosenCell(
        key=asked if chosen else None,
        title=chosen.title if chosen else None,
        headline=chosen.headline if chosen else None,
        lost=bool(asked) and chosen is None,
        default=default,
        clear=here,
        views=[CellView(name, text, views.get(name)) for name, text in VIEWS.items()],
        choosable=bool(details),
    )


def _views(panel: CellPanel | None) -> dict[str, str]:
    return panel.views if isinstance(panel, ViewedPanel) else {}
