"""The address of the trend page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, settle
from benchdb.compare.query.errors import ImpossibleSelection

from .evaluate import evaluate_trend
from .page import DEPENDENT, trend
from .selection import TrendSelection


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """One result of one workload on one machine, over time or kernel versions."""
    if EARLIER_CHOICES in request.GET:
        return redirect(f"{reverse('trend')}?{settle(request.GET, DEPENDENT)}")
    try:
        content, menus = evaluate_trend(TrendSelection.from_query(request.GET), request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render(request, "compare/trend.html", trend(content, menus))
