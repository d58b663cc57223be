"""Browsing runs: the list, the run page, one result, the raw output. Views parse, call and render."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

import orjson
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import Reader
from benchdb.roles import only_reads
from benchdb.runs.distributions.files import FILES
from benchdb.runs.distributions.reading import has_distributions, packed_rounds
from benchdb.runs.listing import table as listing
from benchdb.runs.listing.counting import count
from benchdb.runs.listing.filter_panel import panel
from benchdb.runs.listing.headlines import kept_overviews
from benchdb.runs.listing.query import RunListQuery, read
from benchdb.runs.listing.search import MOST_CHOSEN, RunPage, listed, page, ready
from benchdb.runs.page.raw_output import page as raw_lines
from benchdb.runs.page.reading import chosen_unit
from benchdb.runs.page.result import result_page as page_of_result
from benchdb.runs.page.results import panel_of
from benchdb.runs.page.run_title import title_of
from benchdb.runs.store.archive import ArchiveFailed
from benchdb.runs.store.recomputation import progress
from benchdb.runs.store.status import page_of_status, status

from .costs import before_histograms
from .models import Run, Tombstone
from .queries import results_of


@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    """The runs that match the filters, with the numbers of runs for other filters."""
    list_query, faults = read(request.GET)
    if not faults and len(list_query.pairs()) < sum(len(values) for _, values in request.GET.lists()):
        return redirect(listing.address(list_query.pairs()))  # drops empty fields, so that a list has one address
    if faults:
        list_query = RunListQuery(columns=list_query.columns)
    states = listed(request.user, list_query)
    counted = count(states, list_query, request.user)
    run_page = RunPage([], "") if faults else page(states, list_query, counted, request.user, together=True)
    is_empty = not faults and not run_page.order
    # The context of runs/list.html; `message` is in place of the runs, `empty` means that there is no run at all.
    # `over_time` leads to the trend of the machine by which the list is filtered, `feed` is the Atom feed of the list.
    list_page = {
        "filters": panel(list_query, counted, request.GET, request.user),
        "faults": faults,
        "runs": listing.runs_table(run_page, kept_overviews(run_page.runs), list_query),
        "choose_all": listing.choose_all(list_query, counted.total, run_page),
        "message": _nothing(list_query, request.user) if is_empty else None,
        "empty": is_empty and not (list_query.filters or list_query.after),
        "over_time": listing.over_time(list_query, counted.machines),
        "recomputation": progress(),
        "feed": f"{reverse('runs-feed')}?{urlencode(list_query.filters)}".rstrip("?"),
        "section": "runs",
    }
    return render_page(request, "runs/list.html", list_page, status=400 if faults else 200)


def _nothing(list_query: RunListQuery, reader: Reader) -> dict[str, object]:
    return listing.nothing(
        filtering=bool(list_query.filters),
        paging=bool(list_query.after),
        anonymous=not reader.is_authenticated,
        reads_only=only_reads(reader),
    )


@require_safe
def compare_all(request: HttpRequest) -> HttpResponse:
    """Redirect to the comparison of all matching runs, or back to the list if there is none."""
    runs = _all(request)
    return redirect(
        f"{reverse('compare')}?{urlencode([('run', str(run.id)) for run in runs])}"
        if runs
        else f"{reverse('runs')}?{request.GET.urlencode()}"
    )


@require_safe
def all_data(request: HttpRequest) -> JsonResponse:
    """The same runs for the tray: `[{id, label}]`."""
    labels = listing.labels_of(_all(request))
    return JsonResponse({"runs": [{"id": str(run_id), "label": label} for run_id, label in labels.items()]})


def _all(request: HttpRequest) -> list[Run]:
    """The matching runs that are ready; none if a filter is faulty or the runs are too many for a comparison."""
    list_query, faults = read(request.GET)
    states = listed(request.user, list_query)
    if faults or (counted := count(states, list_query, request.user)).total > MOST_CHOSEN:
        return []
    return ready(states, list_query, counted, request.user)


@require_safe
def result_page(request: HttpRequest, run_id: UUID, ordinal: int) -> HttpResponse:
    """One result: its figures and its values, each with its line of raw output."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    result = next(iter(results_of(run, ordinal)), None)
    if result is None:
        raise Http404
    packed = packed_rounds(run, ordinal) if has_distributions(result) else None
    before_histograms(packed or ())
    return render_page(request, "runs/result.html", page_of_result(run, result, packed))


@require_safe
def run_panels(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The panel of the result with the ordinal `row` by the key of its cell, as JSON."""
    run, row = visible_run(request, run_id), request.GET.get("row", "")
    results = results_of(run, int(row)) if run and row.isascii() and row.isdigit() and len(row) < 10 else []
    if run is None or not results:
        raise Http404
    panel = panel_of(run, results[0], chosen_unit(request.GET.dict()))
    return HttpResponse(orjson.dumps(panel), content_type="application/json")


@require_safe
def latencies_file(request: HttpRequest, run_id: UUID, ordinal: int, form: str) -> HttpResponse:
    """The distributions of a result as a file of one of the formats in `FILES`."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    packed = packed_rounds(run, ordinal) if form in FILES else None
    result = next(iter(results_of(run, ordinal)), None)
    if packed is None or result is None:
        raise Http404
    before_histograms(packed)
    started = [datetime.fromisoformat(each["started_at"]) for each in run.rounds]
    content = FILES[form].write(packed, started, result.test)
    headers = {"Content-Disposition": f'attachment; filename="latencies-{run.id}-{ordinal}.{form}"'}
    return HttpResponse(content, content_type=f"{FILES[form].media_type}; charset=utf-8", headers=headers)


@require_safe
def raw_page(request: HttpRequest, run_id: UUID, name: str) -> HttpResponse:
    """A tool's raw output with line numbers that links can name."""
    run = visible_run(request, run_id)
    if run is None:
        return deleted(request, run_id)
    first = request.GET.get("from", "")
    first_line = int(first) if first.isascii() and first.isdigit() and len(first) < 10 else 1
    artifact = (
        None if "\x00" in name else run.artifacts.defer("content").filter(name=name).first()
    )  # PostgreSQL refuses NUL
    if artifact is None:
        raise Http404
    try:
        lines = raw_lines(artifact, first_line)
    except ArchiveFailed:
        return HttpResponse("The archive of raw output does not answer. Nothing is lost; try again later.", status=503)
    context = {"section": "runs", "run": run, "title": title_of(run), "artifact": lines}
    return render(request, "runs/raw.html", context)


@require_safe
@login_required
def status_page(request: HttpRequest) -> HttpResponse:
    """The finished and the remaining work of the workers. Raises PermissionDenied unless the user is staff."""
    if not request.user.is_staff:
        raise PermissionDenied
    shown = page_of_status(status())
    if "version" in request.GET:  # a request of the page itself, which reloads when the version changes
        return JsonResponse({"state": "working" if shown["working"] else "idle", "version": shown["version"]})
    return render_page(request, "runs/status.html", shown)


def deleted(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The 410 page of a deleted run."""
    return render(request, "runs/deleted.html", {"section": "runs", "run_id": run_id}, status=410)


def visible_run(request: HttpRequest, run_id: UUID) -> Run | None:
    """The run, or None if it was deleted. Raises Http404 if there is no run that this reader may see."""
    run = (
        Run.objects.visible_to(request.user).with_context().select_related("runstate__owner").filter(pk=run_id).first()
    )
    if run is None and not Tombstone.objects.filter(run_id=run_id).exists():
        raise Http404
    return run
