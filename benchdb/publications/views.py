"""Articles. Views parse, call and render."""

from __future__ import annotations

import shlex

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of

from . import page
from .contexts import ArticleListPage
from .models import Publication


@require_safe
def article_list(request: HttpRequest) -> HttpResponse:
    """The published articles whose figures are here."""
    return render_page(request, "publications/list.html", ArticleListPage(page.listed()))


@require_safe
def article_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One article: its subject, observations, tables and contradictions."""
    return render_page(request, "publications/article.html", page.article(get_object_or_404(Publication, slug=slug)))


@require_safe
def plan_page(request: HttpRequest, slug: str) -> HttpResponse:
    """How to repeat an article's experiment on one's own machine."""
    server = shlex.quote(server_of(request))
    agent = shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    publication = get_object_or_404(Publication, slug=slug)
    return render_page(request, "publications/plan.html", page.plan(publication, server, agent))
