"""Surfaces as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind
from benchdb.compare.query.visible import readable, visible_runs
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .content import SurfaceContent, cells
from .evaluate import evaluate_surface
from .page import surface_page
from .redaction import without_runs
from .selection import SurfaceSelection
from .views import page_of_query


def _evaluate(query: QueryDict, reader: Reader) -> SurfaceContent:
    return evaluate_surface(SurfaceSelection.from_query(query), reader)[0]


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    runs = SurfaceSelection.from_query(query).runs
    return readable(runs, (), reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[SurfaceContent, int]:
    selection = SurfaceSelection.parse(query)
    visible = visible_runs(selection.runs, reader)
    content, _ = evaluate_surface(replace(selection, runs=visible), reader)
    return content, len(selection.runs) - len(visible)


SURFACE = ComparisonKind(
    name="surface",
    content=SurfaceContent,
    path="surface",
    view=page_of_query,
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
