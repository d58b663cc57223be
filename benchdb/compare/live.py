"""The live pages of all kinds of comparison. The view parses, calls and renders."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.runs.models import Run

from .kinds import KINDS
from .page_parts.impossible import impossible
from .page_parts.kept import live_page
from .page_parts.menus import EARLIER_CHOICES
from .query.errors import ImpossibleSelection
from .table.page import empty


@require_safe
def page_of_query(request: HttpRequest, kind: str) -> HttpResponse:
    """What the query string selects, as it is now; without a selection, a page about choosing runs."""
    of = KINDS[kind]
    if kind == "table" and not request.GET:
        return render_page(request, "compare/empty.html", empty(Run.objects.listed_for(request.user)))
    if EARLIER_CHOICES in request.GET:
        return redirect(f"{reverse(of.path)}?{of.settled(request.GET)}")
    try:
        runs = of.reads(request.GET, request.user)
        return live_page(request, kind, of.path, runs, lambda: of.live(request.GET, request.user))
    except ImpossibleSelection as error:
        return impossible(request, error)
