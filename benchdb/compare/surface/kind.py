"""Surfaces as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage, PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import settle
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.visible import newest_beside, readable, visible_runs
from benchdb.http.requests import Reader
from benchdb.runs.models import Run, RunQuerySet

from .beside import runs_beside
from .content import SurfaceContent, cells
from .evaluate import evaluate_surface
from .page import choices_form, live_surface, surface_page
from .redaction import without_runs
from .selection import SurfaceSelection

DEFAULTS = {"statistic": "mean", "colours": "all"}


def _evaluate(query: QueryDict, reader: Reader) -> SurfaceContent:
    return evaluate_surface(SurfaceSelection.from_query(query), reader)[0]


def _live(query: QueryDict, reader: Reader) -> MadePage:
    surface, others = evaluate_surface(SurfaceSelection.from_query(query), reader)
    live = live_parts(surface, choices_form(surface, others, runs_beside(surface, reader)))
    parts = (surface_page(surface, PageOptions()), live_surface(surface), live, since(surface))
    return MadePage("compare/surface.html", parts, surface)


def _settled(query: QueryDict) -> str:
    return settle(query, [name for name in ("metric",) if name in query], DEFAULTS)


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    """The runs, and those that the menu of the second run offers."""
    runs = SurfaceSelection.from_query(query).runs
    return readable(runs, (), reader) | Run.objects.filter(pk__in=newest_beside(runs[0], reader))


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[SurfaceContent, int]:
    selection = SurfaceSelection.parse(query)
    visible = visible_runs(selection.runs, reader)
    content, _ = evaluate_surface(replace(selection, runs=visible), reader)
    return content, len(selection.runs) - len(visible)


SURFACE = ComparisonKind(
    name="surface",
    content=SurfaceContent,
    path="surface",
    live=_live,
    settled=_settled,
    evaluate=_evaluate,
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
