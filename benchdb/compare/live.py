"""The live pages of all kinds of comparison. The view parses, calls and renders."""

from __future__ import annotations

from uuid import UUID

import orjson
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import Reader
from benchdb.http.work import is_request
from benchdb.runs.models import RunState
from benchdb.runs.quantities.reading import quantities_of

from .content_json import current, to_bytes
from .kinds import KINDS
from .page_parts.export_menu import export_links
from .page_parts.impossible import impossible, impossible_as_text
from .page_parts.kept import LivePart, keep_part, kept_part
from .page_parts.menus import EARLIER_CHOICES
from .page_parts.pieces import render_pieces
from .query.errors import ImpossibleSelection
from .table.cell_views.chosen_cell import CHOSEN
from .table.cell_views.row_panels import ROW
from .table.cell_views.surface_links import surfaces_of
from .table.content import TableContent
from .table.page import empty, sampled_runs
from .table.sorting.differing import SHOW
from .table.views import panels_response


@require_safe
def page_of_query(request: HttpRequest, kind: str) -> HttpResponse:
    """What the query string selects, as it is now; without a selection, a page about choosing runs."""
    of = KINDS[kind]
    if kind == "table" and not request.GET:
        return render_page(request, "compare/empty.html", empty(request.user))
    if EARLIER_CHOICES in request.GET:
        return redirect(f"{reverse(of.path)}?{of.settled(request.GET)}")
    try:
        live = live_pieces(kind, request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render_page(request, "compare/framed.html", live)


@require_safe
@conditional_page
@cache_control(private=True, no_cache=True)
def panels_of_query(request: HttpRequest) -> HttpResponse:
    """The panels of one row of the table of the selection in the query string, as JSON."""
    query = request.GET.copy()
    row, *_ = ("".join(query.pop(name, [])[-1:]) for name in (ROW, CHOSEN, SHOW))
    try:
        table: TableContent = current("table", query, request.user)  # type: ignore[assignment]  # of this kind
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    counts = RunState.objects.filter(run__in=[*map(UUID, table.runs)]).values_list("result_count", flat=True)
    quantities = quantities_of(map(UUID, table.runs), sum(counts))
    return panels_response(table, row, surfaces_of(quantities), sampled_runs(table))


def live_pieces(kind: str, asked: QueryDict, reader: Reader) -> dict[str, object]:
    """The context of compare/framed.html: a live page without its frame, kept or made now and kept.

    The pieces are rendered without a request, so they can have nothing of a reader. A worker keeps the content of the
    page too, for its files and for sharing. Raises ImpossibleSelection, and LeftToWorker.
    """
    of = KINDS[kind]

    def page() -> bytes:
        made = of.live(asked, reader)
        if not is_request():
            settled = QueryDict(made.content.query)
            part = LivePart("content", kind, settled.urlencode())
            keep_part(part, of.reads(settled, reader), to_bytes(made.content))
        pieces = render_pieces(made.template, *made.parts)
        return orjson.dumps([made.content.query, made.cell, made.watch, pieces])

    part = LivePart("page", kind, asked.urlencode())
    query, cell, watch, pieces = orjson.loads(kept_part(part, reader, of.reads(asked, reader), page).raw)
    # `here` is the address of the page; `chosen` is there where a cell can be chosen.
    return {
        "pieces": pieces,
        "head": of.head,
        "kind": kind,
        "query": query,
        "here": f"{reverse(of.path)}?{query}",
        "exports": export_links(lambda form: f"{reverse(f'{kind}-data', args=[form])}?{query}"),
        "chosen": {"key": cell} if kind == "table" else None,
        "watch": watch,
        "section": "compare",
    }
