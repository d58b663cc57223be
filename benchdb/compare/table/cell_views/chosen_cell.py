"""The chosen cell of a table: its headline and the links to its other views. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.compare.query.dimensions import with_noun
from benchdb.compare.table.content import TableContent, TableGroup, TablePlace
from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import headline
from benchdb.runs.cells.links import trend_of

from .surface_links import Surfaces, cell_surface, has_surface

# The parameter of the address: `G-R-C`, as in findings. It is not part of selections, because it changes no figure.
CHOSEN = "cell"
MOST_ROUNDS = 1000  # of a plan that is offered
KEY = re.compile(r"[0-9]{1,5}-[0-9]{1,5}-[0-9]{1,5}")
VIEWS = {"surface": "Surface", "trend": "Trend", "more": "More rounds"}
LATENCIES = {"latencies": "Latencies"}  # only in tables with tails
GOES_WITH = {"goes_with": "What goes with it"}  # only in tables of runs with samples of the machine
NOT_SAMPLED: Collection[str] = ()


def views_of(
    table: Grid, place: TablePlace, surfaces: Surfaces, sampled: Collection[str] = NOT_SAMPLED
) -> dict[str, str]:
    """The addresses of the cell's surface, trend, latencies, of what goes with its difference, and of a plan
    with more rounds, if they exist. `sampled` are the runs with samples of the machine.
    """
    content, cell = table.content, place.cell
    surface, more = cell_surface(content, cell, surfaces), more_rounds(content, cell)
    views = {} if surface is None else {"surface": surface}
    views |= {"trend": trend_of(cell.runs[0], cell)} if cell.mean is not None else {}
    latencies = (
        {"latencies": _of_cell("compare-latencies", content, place.key)} if has_rivals_with_tails(table, cell) else {}
    )
    samples = sampled and cell.verdict is not None and all(run in sampled for run in cell.runs)
    goes_with = {"goes_with": _of_cell("compare-goes-with", content, place.key)} if samples else {}
    return views | latencies | goes_with | ({"more": more} if more else {})


def has_rivals_with_tails(table: Grid, cell: Cell) -> bool:
    """Whether the tail of the cell was compared, or it is a baseline of a table with tails."""
    return cell.tail is not None or (cell.baseline and any(each.tail for each in table.cells))


def _of_cell(page: str, content: TableContent, key: str) -> str:
    return f"{reverse(page)}?{content.query}&{urlencode({CHOSEN: key})}"


def more_rounds(content: TableContent, cell: Cell) -> str | None:
    """The address of a plan that settles an inconclusive cell: its rounds and the further ones, beside the baseline.

    None if no number of rounds is known to settle it, or if it takes too many.
    """
    verdict = cell.verdict if cell.verdict and cell.verdict.kind == "inconclusive" else None
    further = verdict and (verdict.rounds_to_decide or verdict.rounds_for_precision)
    if not further or not cell.n or cell.n + further > MOST_ROUNDS or len(cell.runs) > 1:
        return None
    (run,) = cell.runs
    own = next(line for line in content.run_list if line.id == run)
    baselines = (line for line in content.run_list if line.label == content.baseline and line.id != run)
    beside = [("beside", line.id) for line in baselines if (line.tool, line.machine) == (own.tool, own.machine)][:1]
    return f"{reverse('run-again', args=[run])}?{urlencode([*beside, ('rounds', cell.n + further)])}"


def as_key(text: str) -> str:
    """The text if it has the form `G-R-C`, else "", because the value of a form becomes part of an address."""
    return text if KEY.fullmatch(text) else ""


def show_chosen(
    table: Grid, surfaces: Surfaces, asked: str, here: str, sampled: Collection[str] = NOT_SAMPLED
) -> dict[str, object]:
    """The chosen cell of a table.

    `asked` is the key in the address, `here` the address of the page without it, `sampled` as for `views_of`.
    """
    places = {place.key: place for place in table.places if place.cell.status != "deleted"}
    chosen = places.get(asked)
    default = _default(places, surfaces)
    shown = chosen or default
    views = views_of(table, shown, surfaces, sampled) if shown else {}
    offered = VIEWS | (LATENCIES if any(place.cell.tail for place in places.values()) else {})
    offered |= GOES_WITH if sampled else {}
    # A link to another view of the chosen cell; `href` is None if this cell has no such view.
    # The context of compare/views.html. `key`, `title` and `headline` are None if no cell is chosen; `lost` if
    # the address names a cell that is not there. `default` is the key of the cell whose views are offered then,
    # `clear` the address without a chosen cell.
    return {
        "key": asked if chosen else None,
        "title": name_of(chosen) if chosen else None,
        "headline": headline(chosen.cell, chosen.measure.shown) if chosen else None,
        "lost": bool(asked) and chosen is None,
        "default": default.key if default else None,
        "clear": here,
        "views": [{"name": name, "text": text, "href": views.get(name)} for name, text in offered.items()],
        "choosable": bool(places),
    }


def _default(places: Mapping[str, TablePlace], surfaces: Surfaces) -> TablePlace | None:
    """The first cell with a surface, else the first cell."""
    with_surface = (place for place in places.values() if surfaces and has_surface(place.cell, surfaces))
    return next(with_surface, None) or next(iter(places.values()), None)


def name_of(place: TablePlace) -> str:
    """`ext4 · Write · 4 KiB records`."""
    return " · ".join(filter(None, [place.row.label, place.head.label, split_label(place.group)]))


def split_label(group: TableGroup) -> str | None:
    """`1 MiB records · 4 threads`, `Linux 6.1`: each value with its noun."""
    return " · ".join(with_noun(name, label) for name, label in group.parts.items()) or None
