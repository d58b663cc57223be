"""The page of a run with links to its article, campaign and permalinks, which packages below `web` cannot import."""

from __future__ import annotations

import shlex
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.permalinks.services import own_permalinks
from benchdb.http.rendering import render_page
from benchdb.http.requests import Reader, server_of
from benchdb.plans.command_lines import AGENT, PLACEHOLDER
from benchdb.plans.plan_texts import shipped_plans
from benchdb.plans.queries import is_there
from benchdb.publications.beside.own_runs import table_for
from benchdb.publications.beside.page import page_of as page_beside
from benchdb.publications.models import PublishedRun
from benchdb.reproductions.page import run_lines
from benchdb.reproductions.reading import reproductions_of
from benchdb.runs.cells.links import run_href
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.page.company import company_of
from benchdb.runs.page.reading import read_results
from benchdb.runs.page.run import whole_run
from benchdb.runs.page.run_title import title_of
from benchdb.runs.views import deleted, visible_run
from benchdb.signatures.page import shown_signature


@require_safe
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The page of one run."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    company = company_of(run, request.user)
    elsewhere = _command_elsewhere(request, run) if company.alone else None
    results, part_of = read_results(run, request.GET.dict()), _part_of(run, request.user)
    page = whole_run(run, results, part_of, company, elsewhere, _repeated(run, request.user), shown_signature(run))
    return render_page(request, "runs/run.html", page)


@require_safe
def others(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Redirect to the comparison of a run with the same workload on other machines, or a page if there is none."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    other_runs = on_other_machines(run, request.user)
    if other_runs:
        pairs = [*(("run", str(run_id)) for run_id in (run.id, *other_runs)), ("rows", "machine")]
        return redirect(f"{reverse('compare')}?{urlencode(pairs)}")
    similar = f"{reverse('runs')}?{urlencode({'tool': run.tool})}"
    context = {"section": "runs", "run": run, "title": title_of(run), "similar": similar}
    return render(request, "runs/others.html", context)


@require_safe
def published(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """A run against the published figures of the same tests, or a page if there are none."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    found = table_for(run)
    if found is not None:
        table, content = found
        page = page_beside(table.publication, table.key, content, [run.id], request.user)
        return render_page(request, "publications/beside.html", page)
    return render(request, "runs/nothing_published.html", {"section": "runs", "run": run, "title": title_of(run)})


def _command_elsewhere(request: HttpRequest, run: Run) -> str | None:
    """The command that measures the plan of a run in another directory; None unless the agent has this plan."""
    plan = run.runstate.labels.get("plan")
    if run.target.facts["kind"] != "directory" or plan not in shipped_plans():
        return None
    where = f"--directory OTHER-DIRECTORY --server {shlex.quote(server_of(request))}"
    return f"BENCHAGENT_TOKEN={PLACEHOLDER} python3 {AGENT} run {plan} {where}"


def _repeated(run: Run, reader: Reader) -> list[dict[str, object]]:
    """The campaigns of the same plan on other machines in which the run was compared; at most two queries."""
    return [] if run.campaign_id is None else run_lines(run.pk, reproductions_of(run.campaign_id, reader))


def _part_of(run: Run, reader: Reader) -> list[dict[str, object]]:
    """What the run is a part of; a query for figures of articles, another for readers who are signed in."""
    links: list[dict[str, object]] = []
    if source_of(run) is Source.PUBLISHED:
        articles = PublishedRun.objects.filter(run=run).values_list("publication__slug", "publication__title")
        links += [
            {"kind": "the article", "text": f"“{title}”", "href": reverse("article", args=[slug])}
            for slug, title in articles
        ]
    if run.campaign_id is not None and is_there(run.campaign_id, run, reader):
        point = f", point {run.campaign_point}" if run.campaign_point else ""
        links.append({"kind": "the", "text": f"campaign{point}", "href": reverse("campaign", args=[run.campaign_id])})
    if run.runstate.withdrawn_at:
        later = Run.objects.listed_for(reader).filter(continues=run.id)
        links += [{"kind": "the", "text": "run that continues it", "href": run_href(str(other.pk))} for other in later]
    links += [{"kind": "your", "text": link.text, "href": link.href} for link in own_permalinks(run.id, reader)]
    return links


MOST_RUNS = 12  # one on each other machine; a comparison of more is not readable
SEARCHED = 5000  # newest runs of the tool


def on_other_machines(run: Run, reader: Reader) -> list[UUID]:
    """The newest run of each other machine with this run's tool, command and parameters; one query.

    Only runs that lists show `reader`; those on the run's own file system first, then newest first.
    """
    newest = Run.objects.listed_for(reader).filter(tool=run.tool).exclude(machine=run.machine_id).order_by("-id")
    alike = Run.objects.filter(pk__in=newest.values("pk")[:SEARCHED], parameters=run.parameters)
    if not run.parameters:  # an imported run has only its command line
        alike = alike.filter(command=run.command)
    rows = alike.order_by("-id").values_list("id", "machine_id", "target__file_system")
    first: dict[tuple[int, bool], UUID] = {}
    for run_id, machine, file_system in rows:
        first.setdefault((machine, file_system == run.target.file_system), run_id)
    of_machine: dict[int, UUID] = {}
    for wanted in (True, False):
        for (machine, same_file_system), run_id in first.items():
            if same_file_system is wanted:
                of_machine.setdefault(machine, run_id)
    return list(of_machine.values())[:MOST_RUNS]
