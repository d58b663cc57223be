"""Articles. Views parse, call and render."""

from __future__ import annotations

import shlex

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import server_of

from . import page
from .beside.own_runs import own_runs
from .beside.page import page_of
from .models import Publication


@require_safe
def article_list(request: HttpRequest) -> HttpResponse:
    """The published articles whose figures are here."""
    return render_page(request, "publications/list.html", {"articles": page.listed(), "section": "articles"})


@require_safe
def article_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One article: its subject, observations, tables and contradictions."""
    publication = get_object_or_404(Publication, slug=slug)
    return render_page(request, "publications/article.html", page.article(publication, server_of(request)))


@require_safe
def article_data(request: HttpRequest, slug: str) -> JsonResponse:
    """An article's facts with their places, its statements, checks and notes (docs/publications.md)."""
    return JsonResponse(answer(get_object_or_404(Publication, slug=slug)))


@require_safe
def table_beside(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The reader's runs against the figures of an article's table, or why they cannot be compared."""
    publication = get_object_or_404(Publication, slug=slug)
    table = page.frozen_tables(publication).get(key)
    if table is None:
        raise Http404
    runs = own_runs(publication, table, request.user)
    return render_page(request, "publications/beside.html", page_of(publication, key, table, runs, request.user))


@require_safe
def plan_page(request: HttpRequest, slug: str) -> HttpResponse:
    """How to repeat an article's experiment on one's own machine."""
    server = shlex.quote(server_of(request))
    agent = shlex.quote(request.build_absolute_uri(reverse("agent-file")))
    publication = get_object_or_404(Publication, slug=slug)
    return render_page(request, "publications/plan.html", page.plan(publication, server, agent))


def answer(publication: Publication) -> dict[str, object]:
    """The answer about an article; one query beside the one that found it."""
    tables = publication.tables.select_related("permalink").order_by("pk")
    # Everything about an article but the figures of its tables; `tables` are the addresses of those.
    # `statements` were entered by hand from the text; `findings` are what checks made of them and of the
    # figures.
    return {
        "slug": publication.slug,
        "title": publication.title,
        "authors": publication.authors,
        "year": publication.year,
        "citation": publication.citation,
        "url": publication.url,
        "about": publication.about,
        "left_out": publication.left_out,
        "facts": publication.sourced,
        "statements": publication.statements,
        "findings": publication.findings,
        "notes": publication.notes,
        "tables": [f"{table.permalink.get_absolute_url().rstrip('/')}.json" for table in tables],
    }
