"""Comparison tables as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import Selection
from benchdb.compare.query.visible import visible_runs

from .content import cells
from .evaluate import evaluate
from .page import frozen_table
from .redaction import without_runs
from .views import table_page


def _evaluate(query: QueryDict, reader: Any) -> dict[str, Any]:
    return evaluate(Selection.from_query(query), reader)[0]


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Any) -> tuple[dict[str, Any], int]:
    """The table of the selected runs that are left; a campaign always has its current runs."""
    selection = Selection.parse(query)
    if not selection.runs:
        return evaluate(selection, reader)[0], 0
    visible = visible_runs(selection.runs, reader)
    missing = len(selection.runs) - len(visible)
    selection = replace(selection, runs=visible)
    try:
        return evaluate(selection, reader)[0], missing
    except NothingThere:
        raise
    except ImpossibleSelection:
        if not missing:
            raise
        # The baseline may have been deleted with its run; any other baseline serves to show the figures.
        return evaluate(replace(selection, baseline=""), reader)[0], missing


TABLE = ComparisonKind(
    name="table",
    path="compare",
    view=table_page,
    evaluate=_evaluate,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    frozen_page=frozen_table,
    body="compare/table_body.html",
    embedded="compare/table_embedded.html",
)
