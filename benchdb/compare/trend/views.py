"""The address of the trend page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, settle
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.rendering import render_page

from .evaluate import evaluate_trend
from .page import DEPENDENT, choices_form, live_trend, trend_page
from .selection import TrendSelection


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """One result of one workload on one machine, over time or kernel versions."""
    if EARLIER_CHOICES in request.GET:
        return redirect(f"{reverse('trend')}?{settle(request.GET, DEPENDENT)}")
    try:
        content, menus = evaluate_trend(TrendSelection.from_query(request.GET), request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    live = live_parts("trend", "trend", content, choices_form(content, menus))
    return render_page(request, "compare/trend.html", trend_page(content, PageOptions()), live_trend(content), live)
