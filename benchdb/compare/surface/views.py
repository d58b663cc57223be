"""The page of a surface. The view parses, calls and renders."""

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
from benchdb.compare.query.visible import readable, readable_beside

from .beside import runs_beside
from .evaluate import evaluate_surface
from .page import choices_form, live_surface, surface_page
from .selection import SurfaceSelection

DEFAULTS = {"statistic": "mean", "colours": "all"}


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """Record size × file size of one test, for one run or two."""
    if EARLIER_CHOICES in request.GET:
        dependent = [name for name in ("metric",) if name in request.GET]
        return redirect(f"{reverse('surface')}?{settle(request.GET, dependent, DEFAULTS)}")

    def make() -> MadePage:
        surface, others = evaluate_surface(selection, request.user)
        live = live_parts(surface, choices_form(surface, others, runs_beside(surface, request.user)))
        parts = (surface_page(surface, PageOptions()), live_surface(surface), live, since(surface))
        return MadePage("compare/surface.html", parts, surface.query)

    try:
        selection = SurfaceSelection.from_query(request.GET)
        runs = readable(selection.runs, (), request.user) | readable_beside(selection.runs[0], None, request.user)
        return live_page(request, "surface", "surface", runs, make)
    except ImpossibleSelection as error:
        return impossible(request, error)
