"""Comparison table. Views parse, call and render."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.http.rendering import render_page
from benchdb.runs.models import Run

from . import page as pages
from .chosen_cell import CHOSEN
from .evaluate import evaluate
from .form import choices_form, settle


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """The table of the selection in the query string; without a selection, a page about choosing runs."""
    if not request.GET:
        return render_page(request, "compare/empty.html", pages.empty(Run.objects.listed_for(request.user)))
    if (was := request.GET.get(EARLIER_CHOICES)) is not None:
        return redirect(f"{reverse('compare')}?{settle(request.GET, was)}")
    query = request.GET.copy()
    asked = "".join(query.pop(CHOSEN, [])[-1:])
    try:
        table, choices = evaluate(Selection.from_query(query), request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    pairs = [(name, value) for name, values in query.lists() for value in values]
    page = pages.live_page(table, choices, asked, pairs)
    live = live_parts("table", "compare", table, choices_form(choices, table))
    return render_page(request, "compare/table.html", page, live, since(table))
