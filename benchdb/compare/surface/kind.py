"""Surfaces as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage, PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import settle
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.visible import left_of, newest_beside, readable
from benchdb.http.requests import Reader
from benchdb.runs.models import Run, RunQuerySet

from .beside import runs_beside
from .content import SurfaceContent, cells
from .evaluate import evaluate_surface
from .page import choices_form, live_surface, surface_page
from .redaction import without_runs
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
