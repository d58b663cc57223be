"""The addresses of what goes with a difference. Views parse, call and render."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.cell_views.rivals import rivals_of
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.sorting.differing import SHOW
from benchdb.http.rendering import render_page
from benchdb.runs.costs import before_totals
from benchdb.runs.store.round_totals import totals_of_runs

from .compared import MOST_RIVALS, ComparedRivals, compare_rivals
from .files import FILES
from .page import goes_with_page


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """What goes with the differences of a cell and its rivals: the query is that of the table, `cell` the cell's key.

    404 if the table has no such cell, or fewer than two of the rivals have samples of the machine.
    """
    try:
        table, compared, query = _compared(request)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render_page(request, "compare/goes_with.html", goes_with_page(table, compared, query))


@require_safe
def data_of_query(request: HttpRequest, extension: str) -> HttpResponse:
    """The same quantities as CSV or JSON."""
    if extension not in FILES:
        raise Http404
    try:
        _, compared, _ = _compared(request)
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    write, media_type = FILES[extension]
    headers = {"Content-Disposition": f'attachment; filename="goes-with.{extension}"'}
    return HttpResponse(write(compared), content_type=media_type, headers=headers)


def _compared(request: HttpRequest) -> tuple[TableContent, ComparedRivals, str]:
    """The table, the compared rivals, and the query of the table. Raises ImpossibleSelection and Http404."""
    query = request.GET.copy()
    key = "".join(query.pop(CHOSEN, [])[-1:])
    query.pop(SHOW, None)
    table, _ = evaluate(Selection.from_query(query), request.user)
    places = rivals_of(table, key)
    if not places or not places[0].cell.baseline:
        raise Http404
    chosen = next(place for place in places if place.key == key)
    # The chosen cell is among those that are compared, however many there are.
    beside = [place for place in places[1:] if place is not chosen]
    shown = [places[0], *([] if chosen is places[0] else [chosen]), *beside]
    cells = [place.cell for place in shown[: MOST_RIVALS + 1]]
    before_totals(sum(len(cell.runs) * len(cell.values or []) for cell in cells))
    compared = compare_rivals(table, shown, totals_of_runs({UUID(run) for cell in cells for run in cell.runs}))
    if compared is None or not compared.rivals:
        raise Http404
    return table, compared, query.urlencode()
