"""Response curves as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind
from benchdb.compare.query.visible import readable, visible_runs
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .content import ResponseContent, cells
from .evaluate import evaluate_response
from .page import response_page
from .redaction import without_runs
from .selection import ResponseSelection
from .views import page_of_query


def _evaluate(query: QueryDict, reader: Reader) -> ResponseContent:
    return evaluate_response(ResponseSelection.from_query(query), reader)[0]


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    selection = ResponseSelection.from_query(query)
    return readable(selection.runs, selection.campaigns, reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[ResponseContent, int]:
    """The curves of the selected runs that are left; a campaign always has its current runs."""
    selection = ResponseSelection.parse(query)
    if not selection.runs:
        return evaluate_response(selection, reader)[0], 0
    visible = visible_runs(selection.runs, reader)
    missing = len(selection.runs) - len(visible)
    return evaluate_response(replace(selection, runs=visible), reader)[0], missing


RESPONSE = ComparisonKind(
    name="response",
    content=ResponseContent,
    path="response",
    view=page_of_query,
    evaluate=_evaluate,
    reads=_reads,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    page=response_page,
    body="compare/response_body.html",
    embedded="compare/response_embedded.html",
    other_noun="response chart",
)
