"""The addresses of feeds. They have only what everybody may see, for every reader. Views parse, call and render."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible_as_text
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.requests import number_of
from benchdb.runs.listing.query import read

from .atom import feed_response
from .campaigns import campaigns_feed
from .runs import runs_feed
from .trends import trend_feed


@require_safe
def runs(request: HttpRequest) -> HttpResponse:
    """Public runs in the order of their changes; the filters are those of the list of runs."""
    query = request.GET.copy()
    query.pop("before", None)
    list_query, faults = read(query)
    if faults:
        return impossible_as_text(ImpossibleSelection(faults))
    return feed_response(request, runs_feed(list_query, number_of(request, "before")))


@require_safe
def campaigns(request: HttpRequest) -> HttpResponse:
    """Public campaigns, of all machines or of one."""
    return feed_response(request, campaigns_feed(number_of(request, "machine"), _before(request)))


@require_safe
def trend(request: HttpRequest) -> HttpResponse:
    """The established change points of a trend."""
    try:
        return feed_response(request, trend_feed(request.GET))
    except ImpossibleSelection as error:
        return impossible_as_text(error)


def _before(request: HttpRequest) -> UUID | None:
    text = request.GET.get("before")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise Http404 from None
