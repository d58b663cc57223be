"""Trends as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.content import Context
from benchdb.compare.kind import ComparisonKind
from benchdb.compare.query.visible import visible_runs

from .content import cells
from .evaluate import evaluate_trend
from .page import frozen_trend
from .redaction import without_runs
from .selection import TrendSelection
from .views import page


def _evaluate(query: QueryDict, reader: Any) -> dict[str, Any]:
    return evaluate_trend(TrendSelection.from_query(query), reader)[0]


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Any) -> tuple[dict[str, Any], int]:
    """The trend of its run; if the reader may not see this run, that of the newest run of the permalink."""
    selection = TrendSelection.parse(query)
    visible = visible_runs(runs, reader)
    origin = selection.run if selection.run in visible else max(visible)
    content, _ = evaluate_trend(selection.replace(run=origin), reader)
    return content, len(runs) - len(visible)


def _cell_of_page(context: Context, key: str) -> Context:
    """The cell `SERIES-RUN-0`; the table of the page lists the newest run first."""
    series, run, column = map(int, key.split("-"))
    cell: Context = context["table"]["groups"][series]["rows"][-1 - run]["cells"][column]
    return cell


def _say_row(started_at: str) -> str:
    """`20 Nov 2026 12:00 UTC`: the row of a run is labelled with its start."""
    return f"{datetime.fromisoformat(started_at):%-d %b %Y %H:%M} UTC"


TREND = ComparisonKind(
    name="trend",
    path="trend",
    view=page,
    evaluate=_evaluate,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    frozen_page=lambda content, cell, address: frozen_trend(content),
    body="compare/trend_body.html",
    embedded="compare/trend_body.html",
    cell_of_page=_cell_of_page,
    say_row=_say_row,
)
