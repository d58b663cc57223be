"""The panels of the cells of a table, row by row: a page of thousands of cells holds none of them. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchdb.compare.table.content import TableContent, TablePlace, measured
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.panel import ViewedPanel, show_panel, with_views

from .chosen_cell import name_of, views_of
from .surface_links import Surfaces

ROW = "row"  # the parameter of the address: `G-R`, the beginning of the keys of the row's cells
FORM = re.compile(r"[0-9]{1,5}-[0-9]{1,5}")


def row_panels(content: TableContent, row: str, surfaces: Surfaces) -> dict[str, ViewedPanel] | None:
    """The panels of a row `G-R` by the `detail` of their cells; None if the table has no such row."""
    if not FORM.fullmatch(row):
        return None
    commands = {line.id: line.command for line in content.run_list}
    places = [place for place in measured(content) if place.key.startswith(f"{row}-")]
    there = [place for place in places if place.cell.status != "deleted"]
    return {f"c{place.key}": _panel(content, place, commands, surfaces) for place in there} if places else None


def _panel(content: TableContent, place: TablePlace, commands: Mapping[str, str], surfaces: Surfaces) -> ViewedPanel:
    panel = show_panel(place.cell, name_of(place), place.measure.shown, _command(place.cell, commands))
    return with_views(panel, views_of(content, place.cell, surfaces))


def _command(cell: Cell, commands: Mapping[str, str]) -> str | None:
    distinct = {commands[run] for run in cell.runs}
    return distinct.pop() if len(distinct) == 1 else None
