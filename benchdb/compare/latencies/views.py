"""The addresses of the overlaid distributions: a page, and files of the same."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.cell_views.rivals import label_of_others, rivals_of
from benchdb.compare.table.content import TableContent, TablePlace
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.sorting.differing import SHOW
from benchdb.http.rendering import render_page
from benchdb.runs.costs import before_distributions
from benchdb.runs.distributions.reading import distributions_of

from .files import FILES
from .measured import MOST_CURVES, MeasuredRival, measured_rivals, results_of
from .page import latencies_page


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """The distributions of a cell and its rivals: the query is that of the table, `cell` is the key of the cell.

    404 if the table has no such cell, or none of the rivals has distributions.
    """
    query = request.GET.copy()
    query.pop(CHOSEN, None)
    query.pop(SHOW, None)
    try:
        table, places, rivals = _chosen(request)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render_page(request, "compare/latencies.html", latencies_page(table, places, rivals, query.urlencode()))


@require_safe
def file_of_query(request: HttpRequest, form: str) -> HttpResponse:
    """The same as a file of one of the formats in `FILES`."""
    if form not in FILES:
        raise Http404
    try:
        table, places, rivals = _chosen(request)
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    content = FILES[form].write(rivals, label_of_others(table, places[0]))
    headers = {"Content-Disposition": f'attachment; filename="latencies.{form}"'}
    return HttpResponse(content, content_type=f"{FILES[form].media_type}; charset=utf-8", headers=headers)


def _chosen(request: HttpRequest) -> tuple[TableContent, list[TablePlace], list[MeasuredRival]]:
    """The table, the places of the chosen cell and its rivals, and those that have distributions.

    Raises Http404 if there are none, ImpossibleSelection.
    """
    query = request.GET.copy()
    key = "".join(query.pop(CHOSEN, [])[-1:])
    query.pop(SHOW, None)
    table, _ = evaluate(Selection.from_query(query), request.user)
    places = rivals_of(table, key)
    shown = [place.cell for place in places[:MOST_CURVES]]
    before_distributions(sum(len(cell.values or []) for cell in shown))
    distributions = distributions_of(result for place in places for result in results_of(place.cell)) if places else {}
    rivals = measured_rivals(table, places, distributions)
    if not rivals:
        raise Http404
    return table, places, rivals
