"""Response curves as a kind of comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage, PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import settle
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.visible import left_of, readable
from benchdb.compare.response.knees import without_knee
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .content import ResponseContent, ResponseCurve, ResponsePoint, cells
from .evaluate import evaluate_response
from .page import DEPENDENT, choices_form, live_response, response_page
from .selection import ResponseSelection


def _live(query: QueryDict, reader: Reader) -> MadePage:
    content, menus = evaluate_response(ResponseSelection.from_query(query), reader)
    live = live_parts(content, choices_form(content, menus))
    parts = (response_page(content, PageOptions()), live_response(content, menus), live, since(content))
    return MadePage("compare/response.html", parts, content)


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    selection = ResponseSelection.from_query(query)
    return readable(selection.runs, selection.campaigns, reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[ResponseContent, int]:
    selection, missing = left_of(ResponseSelection.parse(query), reader)
    return evaluate_response(selection, reader)[0], missing


def without_runs(content: ResponseContent, deleted: Collection[str]) -> ResponseContent | None:
    """The curves without the points that have a run in `deleted` (their ids); None if no point is left.

    A curve that loses a point loses its knee.
    """
    curves = [left for curve in content.curves if (left := _without(curve, deleted)).points]
    return replace(content, curves=curves) if curves else None


def _without(curve: ResponseCurve, deleted: Collection[str]) -> ResponseCurve:
    left = [point for point in curve.points if not _has_run_of(point, deleted)]
    return curve if len(left) == len(curve.points) else replace(curve, points=left, knee=without_knee())


def _has_run_of(point: ResponsePoint, deleted: Collection[str]) -> bool:
    cells = [cell for cell in (point.throughput, point.latency) if cell is not None]
    return any(run in deleted for cell in cells for run in cell.runs)


RESPONSE = ComparisonKind(
    name="response",
    content=ResponseContent,
    path="response",
    live=_live,
    settled=lambda query: settle(query, DEPENDENT),
    evaluate=lambda query, reader: evaluate_response(ResponseSelection.from_query(query), reader)[0],
    reads=_reads,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    page=response_page,
    body="compare/response_body.html",
    embedded="compare/response_embedded.html",
    other_noun="response chart",
)
