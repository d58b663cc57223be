"""The page for a selection that cannot be evaluated."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.wording.words import upper


def impossible(request: HttpRequest, error: ImpossibleSelection) -> HttpResponse:
    """The response to an impossible selection: 404 if this reader may see no such run, else 400."""
    status = 404 if isinstance(error, NothingThere) else 400
    campaigns = [] if status == 404 else dict.fromkeys(request.GET.getlist("campaign"))
    runs = [f"{reverse('runs')}?{urlencode({'campaign': campaign})}" for campaign in campaigns]
    faults = [_sentence(fault) for fault in error.faults]
    context = {"section": "compare", "faults": faults, "missing": status == 404, "runs": runs}
    return render(request, "compare/impossible.html", context, status=status)


def _sentence(fault: str) -> str:
    """`file_size: …` → `File size: …`: the name of the parameter as the menus have it, with a capital letter."""
    name, space, rest = fault.partition(" ")
    return upper(name.replace("_", " ")) + space + rest
