"""Comparison table. Views parse, call and render."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.runs.models import Run

from . import pages, withdrawn
from .chosen import CHOSEN
from .findings.places import upper
from .form import WAS, settle
from .selection import ImpossibleSelection, NothingThere, Selection
from .table import evaluate


@require_safe
def table_page(request: HttpRequest) -> HttpResponse:
    """The table of the selection in the query string; without one, how to choose."""
    if not request.GET:
        return render(request, "compare/empty.html", pages.empty(Run.objects.listed_for(request.user)))
    if (was := request.GET.get(WAS)) is not None:
        return redirect(f"{reverse('compare')}?{settle(request.GET, was)}")
    query = request.GET.copy()
    asked = "".join(query.pop(CHOSEN, [])[-1:])
    try:
        table, choices = evaluate(Selection.from_query(query), request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    pairs = [(name, value) for name, values in query.lists() for value in values]
    context = pages.table(table, choices, asked, pairs)
    context["frozen"] = {"withdrawn": withdrawn.show(withdrawn.now(table), table)}
    return render(request, "compare/table.html", context)


def impossible(request: HttpRequest, error: ImpossibleSelection) -> HttpResponse:
    """What was asked for cannot be shown: 404 where it is not there for this reader, else 400."""
    status = 404 if isinstance(error, NothingThere) else 400
    campaigns = [] if status == 404 else dict.fromkeys(request.GET.getlist("campaign"))
    runs = [f"{reverse('runs')}?{urlencode({'campaign': campaign})}" for campaign in campaigns]
    faults = [_sentence(fault) for fault in error.faults]
    context = {"section": "compare", "faults": faults, "missing": status == 404, "runs": runs}
    return render(request, "compare/impossible.html", context, status=status)


def _sentence(fault: str) -> str:
    """`file_size: …` → `File size: …`: parameters are named as the menus name them, at the beginning of a sentence."""
    name, space, rest = fault.partition(" ")
    return upper(name.replace("_", " ")) + space + rest
