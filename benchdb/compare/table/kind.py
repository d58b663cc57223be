"""Comparison tables as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import Selection
from benchdb.compare.query.visible import readable, visible_runs
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .content import TableContent
from .evaluate import evaluate
from .page import table_page
from .redaction import without_runs
from .sorting.rows import cells_as_shown
from .views import page_of_query


def _evaluate(query: QueryDict, reader: Reader) -> TableContent:
    return evaluate(Selection.from_query(query), reader)[0]


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    selection = Selection.from_query(query)
    return readable(selection.runs, selection.campaigns, reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[TableContent, int]:
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
        # Baseline or sorted column may have been deleted with their run; the defaults serve to show the figures.
        return evaluate(replace(selection, baseline="", sort=""), reader)[0], missing


TABLE = ComparisonKind(
    name="table",
    content=TableContent,
    path="compare",
    view=page_of_query,
    evaluate=_evaluate,
    reads=_reads,
    evaluate_visible=_evaluate_visible,
    cells=cells_as_shown,
    without_runs=without_runs,
    page=table_page,
    body="compare/table_body.html",
    answer="compare/card.html",
    embedded="compare/table_embedded.html",
)
