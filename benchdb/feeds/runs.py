"""The feed of public runs in the order of their changes, with the runs that left it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from benchdb.runs.listing.counting import count
from benchdb.runs.listing.in_force import title
from benchdb.runs.listing.query import RunListQuery
from benchdb.runs.listing.search import NOT_LISTED, listed, matching
from benchdb.runs.models import Run, RunChange, RunState, Visibility
from benchdb.runs.page.run_title import title_of
from benchdb.wording.numbers import plural

from .atom import PAGE, Entry, FeedPage, Removal

EVERYBODY = AnonymousUser()


def runs_feed(list_query: RunListQuery, before: int) -> FeedPage:
    """The changes with numbers below `before`, all of them if it is 0.

    Only the feed without filters has removals: nothing is known about a deleted run that a filter could match.
    """
    changes, heading = RunChange.objects.exclude(number=None), "Runs"
    if list_query.filters:
        states = listed(EVERYBODY, list_query)
        counted = count(states, list_query, EVERYBODY)
        changes = changes.filter(run_id__in=matching(states, list_query, counted, EVERYBODY).values("run"))
        heading = title(list_query, "Runs", counted.machines)
    if before:
        changes = changes.filter(number__lt=before)
    found = list(changes.order_by("-number")[: PAGE + 1])
    shown, more = found[:PAGE], found[PAGE:]
    here, filters = reverse("runs-feed"), list_query.filters
    return FeedPage(
        title=heading,
        page=_with(reverse("runs"), filters),
        first=_with(here, filters),
        here=_with(here, [*filters, *([("before", str(before))] if before else [])]),
        following=_with(here, [*filters, ("before", str(shown[-1].number))]) if more else "",
        entries=_entries(shown, removals=not filters),
    )


def _with(path: str, pairs: Sequence[tuple[str, str]]) -> str:
    return f"{path}?{urlencode(pairs)}" if pairs else path


def _entries(changes: Sequence[RunChange], *, removals: bool) -> list[Entry | Removal]:
    """Each change as an entry if everybody may list its run now, else as a removal; two queries."""
    ids = [change.run_id for change in changes]
    runs = Run.objects.listed_for(EVERYBODY).with_context().defer(*NOT_LISTED).in_bulk(ids)
    reasons = _reasons([run_id for run_id in ids if run_id not in runs]) if removals else {}
    return [
        _entry(runs[change.run_id], change)
        if change.run_id in runs
        else Removal(change.run_id.urn, change.changed_at, reasons[change.run_id])
        for change in changes
        if removals or change.run_id in runs
    ]


def _entry(run: Run, change: RunChange) -> Entry:
    environment = run.environment
    system = " · ".join(filter(None, [environment.cpu_model, environment.kernel_release, environment.os_name]))
    stack = " · ".join(filter(None, [run.target.mkfs_options, run.target.disk_model]))
    labels = ", ".join(f"{name} = {value}" for name, value in run.runstate.labels.items())
    lines = [plural(run.runstate.result_count, "result"), plural(run.round_count, "round"), system, stack, labels]
    return Entry(
        id=run.id.urn,
        title=" · ".join(title_of(run).parts),
        path=run.get_absolute_url(),
        published=run.received_at,
        updated=change.changed_at,
        lines=list(filter(None, lines)),
        categories=list(filter(None, [run.tool, run.target.file_system])),
        data=reverse("api-1:get_run", args=[run.id]),
    )


def _reasons(run_ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """Why each of these runs left the lists: a public run says so itself, and no other run reveals more."""
    states = RunState.objects.filter(pk__in=run_ids).values_list("pk", "visibility", "withdrawn_reason")
    known = {run_id: (visibility, reason) for run_id, visibility, reason in states}
    return {run_id: _reason(*known.get(run_id, ("", ""))) for run_id in run_ids}


def _reason(visibility: str, withdrawn: str) -> str:
    if not visibility:
        return "deleted"
    return f"withdrawn: {withdrawn}" if visibility == Visibility.PUBLIC else "no longer public"
