"""The address of response curves."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.page_parts.kept import MadePage, live_page
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, settle
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.visible import readable

from .evaluate import evaluate_response
from .page import DEPENDENT, choices_form, live_response, response_page
from .selection import ResponseSelection


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """Latency over throughput of one test, a curve a series, a point a level of load."""
    if EARLIER_CHOICES in request.GET:
        return redirect(f"{reverse('response')}?{settle(request.GET, DEPENDENT)}")

    def make() -> MadePage:
        content, menus = evaluate_response(selection, request.user)
        live = live_parts(content, choices_form(content, menus))
        parts = (response_page(content, PageOptions()), live_response(content, menus), live, since(content))
        return MadePage("compare/response.html", parts, content.query)

    try:
        selection = ResponseSelection.from_query(request.GET)
        runs = readable(selection.runs, selection.campaigns, request.user)
        return live_page(request, "response", "response", runs, make)
    except ImpossibleSelection as error:
        return impossible(request, error)
