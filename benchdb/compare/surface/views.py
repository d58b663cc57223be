"""The page of a surface. The view parses, calls and renders."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts import withdrawn
from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, settle
from benchdb.compare.query.errors import ImpossibleSelection

from . import page as surface_page
from .evaluate import evaluate_surface
from .selection import SurfaceSelection


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Record size × file size of one test, for one run or two."""
    if EARLIER_CHOICES in request.GET:
        dependent = [name for name in ("metric",) if name in request.GET]
        return redirect(f"{reverse('surface')}?{settle(request.GET, dependent, {'statistic': 'mean'})}")
    try:
        surface, others = evaluate_surface(SurfaceSelection.from_query(request.GET), request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    context = surface_page.surface(surface, others)
    context["frozen"] = {"withdrawn": withdrawn.show(withdrawn.now(surface), surface)}
    return render(request, "compare/surface.html", context)
