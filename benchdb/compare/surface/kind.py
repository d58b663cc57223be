"""Surfaces as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind
from benchdb.compare.query.visible import visible_runs

from .content import cells
from .evaluate import evaluate_surface
from .page import frozen_surface
from .redaction import without_runs
from .selection import SurfaceSelection
from .views import page


def _evaluate(query: QueryDict, reader: Any) -> dict[str, Any]:
    return evaluate_surface(SurfaceSelection.from_query(query), reader)[0]


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Any) -> tuple[dict[str, Any], int]:
    selection = SurfaceSelection.parse(query)
    visible = visible_runs(selection.runs, reader)
    content, _ = evaluate_surface(replace(selection, runs=visible), reader)
    return content, len(selection.runs) - len(visible)


SURFACE = ComparisonKind(
    name="surface",
    path="surface",
    view=page,
    evaluate=_evaluate,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    frozen_page=lambda content, cell, address: frozen_surface(content),
    body="compare/surface_body.html",
    embedded="compare/surface_embedded.html",
    head="web/partials/charts_head.html",
    embedded_head="compare/surface_embedded_head.html",
)
