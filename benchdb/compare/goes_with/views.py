"""The addresses of what goes with a difference. Views parse, call and render."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.rendering import render_page

from .evaluate import compared_cell
from .files import FILES
from .page import goes_with_page


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """What goes with the differences of a cell and its rivals: the query is that of the table, `cell` the cell's key.

    404 if the table has no such cell, or fewer than two of the rivals have samples of the machine.
    """
    try:
        found = compared_cell(request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render_page(request, "compare/goes_with.html", goes_with_page(*found))


@require_safe
def data_of_query(request: HttpRequest, extension: str) -> HttpResponse:
    """The same quantities as CSV or JSON."""
    if extension not in FILES:
        raise Http404
    try:
        found = compared_cell(request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    write, media_type = FILES[extension]
    headers = {"Content-Disposition": f'attachment; filename="goes-with.{extension}"'}
    return HttpResponse(write(found.compared), content_type=media_type, headers=headers)
