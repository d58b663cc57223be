"""Comparison table. Views parse, call and render."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts import withdrawn
from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.runs.models import Run

from . import page as pages
from .chosen_cell import CHOSEN
from .evaluate import evaluate
from .form import settle


@require_safe
def table_page(request: HttpRequest) -> HttpResponse:
    """The table of the selection in the query string; without a selection, a page about choosing runs."""
    if not request.GET:
        return render(request, "compare/empty.html", pages.empty(Run.objects.listed_for(request.user)))
    if (was := request.GET.get(EARLIER_CHOICES)) is not None:
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
