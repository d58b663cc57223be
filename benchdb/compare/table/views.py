"""Comparison table. Views parse, call and render."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.page_parts.kept import MadePage, kept_part, live_page
from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.compare.query.visible import readable
from benchdb.http.rendering import render_page
from benchdb.runs.models import Run

from . import page as pages
from .cell_views.chosen_cell import CHOSEN, NOT_SAMPLED
from .cell_views.row_panels import ROW, row_panels
from .cell_views.surface_links import Surfaces, surfaces_of
from .content import TableContent
from .evaluate import evaluate
from .form import choices_form
from .settling import settle
from .sorting.differing import SHOW


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """The table of the selection in the query string; without a selection, a page about choosing runs."""
    if not request.GET:
        return render_page(request, "compare/empty.html", pages.empty(Run.objects.listed_for(request.user)))
    if (was := request.GET.get(EARLIER_CHOICES)) is not None:
        return redirect(f"{reverse('compare')}?{settle(request.GET, was)}")
    query = request.GET.copy()
    asked, show = ("".join(query.pop(name, [])[-1:]) for name in (CHOSEN, SHOW))

    def make() -> MadePage:
        table, choices = evaluate(selection, request.user)
        pairs = [(name, value) for name, values in query.lists() for value in values]
        page = pages.live_page(table, choices, asked, pairs, show)
        live = live_parts(table, choices_form(choices, table, show))
        return MadePage("compare/table.html", (page, live, since(table)), table.query, page.chosen.key)

    try:
        selection = Selection.from_query(query)
        runs = readable(selection.runs, selection.campaigns, request.user)
        return live_page(request, "table", "compare", runs, make)
    except ImpossibleSelection as error:
        return impossible(request, error)


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
    panels = row_panels(table, row, surfaces, sampled)
    if panels is None:
        raise Http404
    return HttpResponse(orjson.dumps(panels), content_type="application/json")
