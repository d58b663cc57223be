"""Surfaces as a kind of comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q
from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage, PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import settle
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.visible import left_of, newest_beside, readable
from benchdb.http.requests import Reader
from benchdb.runs.models import Result, Run, RunQuerySet
from benchdb.wording.times import known_start, say_start

from .content import RunSurface, SurfaceContent, cells
from .evaluate import evaluate_surface
from .page import choices_form, live_surface, surface_page
from .selection import SurfaceSelection

DEFAULTS = {"statistic": "mean", "colours": "all"}


def _live(query: QueryDict, reader: Reader) -> MadePage:
    surface, others = evaluate_surface(SurfaceSelection.from_query(query), reader)
    live = live_parts(surface, choices_form(surface, others, runs_beside(surface, reader)))
    parts = (surface_page(surface, PageOptions()), live_surface(surface), live, since(surface))
    return MadePage("compare/surface.html", parts, surface)


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    """The runs, and those that the menu of the second run offers."""
    runs = SurfaceSelection.from_query(query).runs
    return readable(runs, (), reader) | Run.objects.filter(pk__in=newest_beside(runs[0], reader))


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[SurfaceContent, int]:
    selection, missing = left_of(SurfaceSelection.parse(query), reader)
    return evaluate_surface(selection, reader)[0], missing


MOST_RUNS = 20
Pairs = list[tuple[str, str]]


def runs_beside(content: SurfaceContent, reader: Reader) -> Pairs:
    """The ids and labels of the second run and at most 20 others, the newest first; one query.

    The second run has its place and label also if it is not listed: a kept page serves both.
    """
    same_surface = (
        Result.objects.filter(run=OuterRef("pk"), test=content.test, metric=content.metric)
        .values("run")
        .annotate(files=Count("file_size", distinct=True), records=Count("record_size", distinct=True))
        .filter(files__gt=1, records__gt=1)
    )
    listed = (
        Run.objects.filter(pk__in=newest_beside(content.runs[0], reader))
        .filter(Exists(same_surface))
        .exclude(pk__in=content.runs)
        .order_by("-id")
    )
    chosen = Q(pk__in=content.runs[1:]) | Q(pk__in=listed.values("pk")[:MOST_RUNS])
    runs = Run.objects.filter(chosen).select_related("target").order_by("-id")
    return [(str(run.id), _label(run)) for run in runs]


def _label(run: Run) -> str:
    started = say_start(known_start(run.started_at, run.finished_at))
    return f"{run.target.file_system or 'unknown file system'} · {started}"


def without_runs(content: SurfaceContent, deleted: Collection[str]) -> SurfaceContent | None:
    """The surfaces of the runs that are left, without the ratio; None if all runs are in `deleted` (their ids)."""
    surfaces = content.surfaces
    left = [i for i, surface in enumerate(surfaces) if surface.run not in deleted]
    if not left:
        return None
    return replace(
        content,
        surfaces=[_without_verdicts(surfaces[i]) for i in left],
        marks=[replace(mark, of=of) for mark in content.marks if (of := _moved(mark.of, left))],
        shape=[replace(each, of=of) for each in content.shape if (of := _moved(each.of, left))],
        ratio=None,
        ratio_averages=[],
        left_out=None,
    )


def _moved(of: Sequence[int], left: Sequence[int]) -> list[int]:
    """The indices of these surfaces among those that are left."""
    return [left.index(s) for s in of if s in left]


def _without_verdicts(surface: RunSurface) -> RunSurface:
    return replace(surface, cells=[[cell and replace(cell, verdict=None) for cell in line] for line in surface.cells])


SURFACE = ComparisonKind(
    name="surface",
    content=SurfaceContent,
    path="surface",
    live=_live,
    settled=lambda query: settle(query, ["metric"] if "metric" in query else [], DEFAULTS),
    evaluate=lambda query, reader: evaluate_surface(SurfaceSelection.from_query(query), reader)[0],
    reads=_reads,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    page=surface_page,
    body="compare/surface_body.html",
    embedded="compare/surface_embedded.html",
    head="web/partials/charts_head.html",
    embedded_head="compare/surface_embedded_head.html",
)
