"""Articles. Views parse, call and render."""

from __future__ import annotations

import shlex

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.http.requests import server_of

from . import page
from .models import Publication


@require_safe
def article_list(request: HttpRequest) -> HttpResponse:
    """The published articles whose figures are here."""
    return render(request, "publications/list.html", {"section": "articles", "articles": page.listed()})


@require_safe
def article_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One article: its subject, observations, tables and contradictions."""
    return render(request, "publications/article.html", page.article(get_object_or_404(Publication, slug=slug)))


@require_safe
def plan_page(request: HttpRequest, slug: str) -> HttpResponse:
    """How to repeat an article's experiment on one's own machine."""
    server = shlex.quote(server_of(request))
    agent = shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    found = get_object_or_404(Publication, slug=slug)
    return render(request, "publications/plan.html", page.plan(found, server, agent))
