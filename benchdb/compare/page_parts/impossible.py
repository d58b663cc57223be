"""The page for a selection that cannot be evaluated."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.http.rendering import render_page
from benchdb.wording.words import upper


def impossible(request: HttpRequest, error: ImpossibleSelection) -> HttpResponse:
    """The response to an impossible selection: 404 if this reader may see no such run, else 400."""
    status = _status(error)
    campaigns = [] if status == 404 else dict.fromkeys(request.GET.getlist("campaign"))
    runs = [f"{reverse('runs')}?{urlencode({'campaign': campaign})}" for campaign in campaigns]
    faults = [_sentence(fault) for fault in error.faults]
    # The context of compare/impossible.html; `runs` are the addresses of the lists of the campaigns' runs.
    page = {"faults": faults, "missing": status == 404, "runs": runs, "section": "compare"}
    return render_page(request, "compare/impossible.html", page, status=status)


def impossible_as_text(error: ImpossibleSelection) -> HttpResponse:
    """The same response for scripts: a line for each fault."""
    text = "\n".join(error.faults) + "\n"
    return HttpResponse(text, status=_status(error), content_type="text/plain; charset=utf-8")


def _status(error: ImpossibleSelection) -> int:
    return 404 if isinstance(error, NothingThere) else 400


def _sentence(fault: str) -> str:
    """`file_size: …` → `File size: …`: the name of the parameter as the menus have it, with a capital letter."""
    name, space, rest = fault.partition(" ")
    return upper(name.replace("_", " ")) + space + rest
