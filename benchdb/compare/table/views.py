"""Comparison table. Views parse, call and render."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible_as_text
from benchdb.compare.page_parts.kept import kept_part
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.compare.query.visible import readable

from . import page as pages
from .cell_views.chosen_cell import CHOSEN, NOT_SAMPLED
from .cell_views.row_panels import ROW, row_panels
from .cell_views.surface_links import Surfaces, surfaces_of
from .content import TableContent
from .evaluate import evaluate
from .grid import grid_of
from .sorting.differing import SHOW


@dataclass(frozen=True, slots=True)
class PanelSource:
    """What the panels of a table are made from: the table, the surfaces of its runs, and those with samples."""

    content: TableContent
    surfaces: dict[str, list[tuple[str, str]]]
    sampled: list[str]


@require_safe
def panels_of_query(request: HttpRequest) -> HttpResponse:
    """The panels of one row of the table of the selection in the query string, as JSON."""
    query = request.GET.copy()
    row = "".join(query.pop(ROW, [])[-1:])
    query.pop(CHOSEN, None)
    query.pop(SHOW, None)

    def evaluated() -> PanelSource:
        table, choices = evaluate(selection, request.user)
        surfaces = {run: list(pairs) for run, pairs in surfaces_of(choices.quantities).items()}
        return PanelSource(table, surfaces, sorted(pages.sampled_runs(table)))

    try:
        selection = Selection.from_query(query)
        runs = readable(selection.runs, selection.campaigns, request.user)
        source = kept_part(PanelSource, runs, evaluated, query.urlencode())
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    return panels_response(source.content, row, source.surfaces, source.sampled)


def panels_response(
    table: TableContent, row: str, surfaces: Surfaces, sampled: Collection[str] = NOT_SAMPLED
) -> HttpResponse:
    """The panels of a row as JSON. Raises Http404 if the table has no such row."""
    panels = row_panels(grid_of(table), row, surfaces, sampled)
    if panels is None:
        raise Http404
    return HttpResponse(orjson.dumps(panels), content_type="application/json")
