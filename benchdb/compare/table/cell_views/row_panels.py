"""The panels of the cells of a table, row by row: a page of thousands of cells holds none of them. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from benchdb.compare.content import RunLine
from benchdb.compare.table.content import TablePlace
from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.panel import CellPanel, show_panel

from .chosen_cell import NOT_SAMPLED, name_of, views_of
from .surface_links import Surfaces

ROW = "row"  # the parameter of the address: `G-R`, the beginning of the keys of the row's cells
FORM = re.compile(r"[0-9]{1,5}-[0-9]{1,5}")


def row_panels(
    table: Grid, row: str, surfaces: Surfaces, sampled: Collection[str] = NOT_SAMPLED
) -> dict[str, CellPanel] | None:
    """The panels of a row `G-R` by the `detail` of their cells; None if the table has no such row."""
    if not FORM.fullmatch(row):
        return None
    lines = {line.id: line for line in table.content.run_list}
    places = [place for place in table.places if place.key.startswith(f"{row}-")]
    there = [place for place in places if place.cell.status != "deleted"]
    return {f"c{place.key}": _panel(table, place, lines, surfaces, sampled) for place in there} if places else None


def _panel(
    table: Grid,
    place: TablePlace,
    lines: Mapping[str, RunLine],
    surfaces: Surfaces,
    sampled: Collection[str],
) -> CellPanel:
    of_cell = [lines[run] for run in place.cell.runs]
    command = _single(line.command for line in of_cell)
    tool = _single(line.tool.partition(" ")[0] for line in of_cell)
    views = views_of(table, place, surfaces, sampled)
    panel = show_panel(place.cell, name_of(place), place.measure.shown, command, tool, views.get("more"))
    return {**panel, "views": views}


def _single(texts: Iterable[str]) -> str | None:
    distinct = set(texts)
    return distinct.pop() if len(distinct) == 1 else None
