"""The addresses of the overlaid distributions: a page, and files of the same."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.rendering import render_page

from .evaluate import measured_cell
from .files import FILES
from .page import latencies_page


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """The distributions of a cell and its rivals: the query is that of the table, `cell` is the key of the cell.

    404 if the table has no such cell, or none of the rivals has distributions.
    """
    try:
        found = measured_cell(request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render_page(request, "compare/latencies.html", latencies_page(*found))


@require_safe
def file_of_query(request: HttpRequest, form: str) -> HttpResponse:
    """The same as a file of one of the formats in `FILES`."""
    if form not in FILES:
        raise Http404
    try:
        found = measured_cell(request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    content = FILES[form].write(found.rivals, found.table.others(found.cells[0]))
    headers = {"Content-Disposition": f'attachment; filename="latencies.{form}"'}
    return HttpResponse(content, content_type=f"{FILES[form].media_type}; charset=utf-8", headers=headers)
