"""The page of a run with what it belongs to, which only this layer knows all of: article, campaign, permalinks."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.permalinks.services import own_permalinks
from benchdb.plans.queries import is_there
from benchdb.publications.models import PublishedRun
from benchdb.runs.listing.headlines import overviews
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.page.other_machines import on_other_machines
from benchdb.runs.page.run import run_context, title_of
from benchdb.runs.queries import results_of
from benchdb.runs.views import deleted, visible_run


@require_safe
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """One run: what ran where and how well."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    context = run_context(run, results_of(run), overviews([run.id]).get(run.id), request.GET.dict())
    return render(request, "runs/run.html", {**context, "part_of": _part_of(run, request.user)})


@require_safe
def others(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The comparison of a run with the same workload on other machines, or that there is none yet."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    found = on_other_machines(run, request.user)
    if found:
        pairs = [*(("run", str(each)) for each in (run.id, *found)), ("rows", "machine")]
        return redirect(f"{reverse('compare')}?{urlencode(pairs)}")
    similar = f"{reverse('runs')}?{urlencode({'tool': run.tool})}"
    context = {"section": "runs", "run": run, "title": title_of(run), "similar": similar}
    return render(request, "runs/others.html", context)


def _part_of(run: Run, reader: Any) -> list[dict[str, str]]:
    """`[{kind, text, href}]`; a query for figures of articles, one for readers who are signed in."""
    found = []
    if source_of(run) is Source.PUBLISHED:
        articles = PublishedRun.objects.filter(run=run).values_list("publication__slug", "publication__title")
        found += [_part("the article", f"“{title}”", reverse("article", args=[slug])) for slug, title in articles]
    if run.campaign_id is not None and is_there(run.campaign_id, reader):
        point = f", point {run.campaign_point}" if run.campaign_point else ""
        found.append(_part("the", f"campaign{point}", reverse("campaign", args=[run.campaign_id])))
    return [*found, *(_part("your", each["text"], each["href"]) for each in own_permalinks(run.id, reader))]


def _part(kind: str, text: str, href: str) -> dict[str, str]:
    return {"kind": kind, "text": text, "href": href}
