"""Comparison table, surface, sharing, permalinks. Views parse, call and render."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from benchdb.runs.models import Run
from benchdb.runs.queries import results_of
from benchdb.runs.units import DEFAULTS, UNITS

from .models import Permalink
from .permalinks import NotPublic, freeze
from .selection import ImpossibleSelection, Selection
from .surface import NoSurface, build_surface, chart_data
from .table import evaluate


class AuthenticatedRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


@require_safe
def table_page(request: HttpRequest) -> HttpResponse:
    """The table of the selection in the query string; without one, how to choose."""
    if not request.GET:
        return render(request, "compare/empty.html")
    try:
        table, choices = evaluate(Selection.from_query(request.GET), request.user)
    except ImpossibleSelection as error:
        return render(request, "compare/impossible.html", {"faults": error.faults}, status=400)
    return render(request, "compare/table.html", {"table": table, "choices": choices})


@require_safe
def surface_page(request: HttpRequest) -> HttpResponse:
    """Record size × file size of one test of one run."""
    try:
        surface = _surface(request)
    except NoSurface as error:
        return render(request, "compare/impossible.html", {"faults": [str(error)]}, status=400)
    return render(request, "compare/surface.html", {"surface": surface, "chart": chart_data(surface)})


def _surface(request: HttpRequest) -> dict[str, Any]:
    try:
        run_id = UUID(request.GET.get("run", ""))
    except ValueError:
        raise NoSurface("Name a run: run=ID, as in the addresses of runs.") from None
    run = get_object_or_404(Run.objects.visible_to(request.user).with_context(), pk=run_id)
    unit = request.GET.get("unit") or DEFAULTS["B/s"]
    if unit not in UNITS:
        raise NoSurface(f"unit cannot be {unit!r}; possible are {', '.join(UNITS)}.")
    test, metric = request.GET.get("test", ""), request.GET.get("metric") or "throughput"
    return build_surface(run, results_of(run), test, metric, unit)


@require_POST
@login_required
def share(request: AuthenticatedRequest) -> HttpResponse:
    """Freeze the table of the form's `query` and go to its permalink; asks before it shows what is private."""
    query = request.POST.get("query", "")
    try:
        table, _ = evaluate(Selection.parse(query), request.user)
        permalink, _ = freeze(
            request.user, "table", table["query"], table, share_private=request.POST.get("share_private") == "yes"
        )
    except ImpossibleSelection as error:
        return render(request, "compare/impossible.html", {"faults": error.faults}, status=400)
    except NotPublic as error:
        return render(request, "compare/share.html", {"query": query, "runs": error.runs}, status=409)
    return redirect(permalink)


def _frozen(permalink_id: str) -> Permalink:
    permalink = Permalink.objects.filter(pk=permalink_id, revoked_at=None).select_related("owner").first()
    if permalink is None:
        raise Http404
    return permalink


@require_safe
def permalink_page(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """A frozen table or surface, from its own copy of the numbers: one query."""
    permalink = _frozen(permalink_id)
    return render(request, "compare/permalink.html", {"permalink": permalink, "table": permalink.content})


@require_safe
def permalink_json(request: HttpRequest, permalink_id: str) -> HttpResponse:
    """The frozen content as JSON."""
    return JsonResponse(_frozen(permalink_id).content)
