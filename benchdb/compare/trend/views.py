"""The address of the trend page."""

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
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.visible import readable_beside

from .evaluate import evaluate_trend
from .page import DEPENDENT, choices_form, live_trend, trend_page
from .selection import TrendSelection


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """One result of one workload on one machine, over time or kernel versions."""
    if EARLIER_CHOICES in request.GET:
        return redirect(f"{reverse('trend')}?{settle(request.GET, DEPENDENT)}")

    def make() -> MadePage:
        content, menus = evaluate_trend(selection, request.user)
        live, of_trend = live_parts(content, choices_form(content, menus)), live_trend(content)
        parts = (trend_page(content, PageOptions()), of_trend, live)
        return MadePage("compare/trend.html", parts, content.query, watch=of_trend.watch)

    try:
        selection = TrendSelection.from_query(request.GET)
        runs = readable_beside(selection.run, selection.machine, request.user)
        return live_page(request, "trend", "trend", runs, make)
    except ImpossibleSelection as error:
        return impossible(request, error)
