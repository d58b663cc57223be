"""The address of the overlaid distributions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.sorting.differing import SHOW
from benchdb.http.rendering import render_page
from benchdb.runs.costs import before_distributions
from benchdb.runs.distributions.reading import distributions_of

from .page import MOST_CURVES, latencies_page, results_of
from .rivals import rivals_of


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """The distributions of a cell and its rivals: the query is that of the table, `cell` is the key of the cell.

    404 if the table has no such cell, or none of the rivals has distributions.
    """
    query = request.GET.copy()
    key = "".join(query.pop(CHOSEN, [])[-1:])
    query.pop(SHOW, None)
    try:
        table, _ = evaluate(Selection.from_query(query), request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    places = rivals_of(table, key)
    shown = [place.cell for place in places[:MOST_CURVES]]
    before_distributions(sum(len(cell.values or []) for cell in shown))
    distributions = distributions_of(result for place in places for result in results_of(place.cell)) if places else {}
    page = latencies_page(table, places, distributions, query.urlencode())
    if page is None:
        raise Http404
    return render_page(request, "compare/latencies.html", page)
