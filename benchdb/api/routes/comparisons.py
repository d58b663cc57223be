"""`/api/v1/comparisons`: tables, surfaces, trends and response curves as their pages show them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any, Literal
from uuid import UUID

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from ninja import Router, Schema
from pydantic import ConfigDict

from benchdb.api.auth import reader
from benchdb.api.errors import ApiError, ErrorOut
from benchdb.compare.goes_with.compared import ComparedQuantity, ComparedRival, ComparedRivals, is_different
from benchdb.compare.goes_with.evaluate import compared_cell
from benchdb.compare.goes_with.files import per_of
from benchdb.compare.latencies.evaluate import measured_cell
from benchdb.compare.latencies.measured import MeasuredRival, percentiles_of
from benchdb.compare.page_parts.kept import LivePart
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.exports.formats.json import FORMAT as JSON
from benchdb.exports.parts import live_file
from benchdb.exports.worker_responses import file_response
from benchdb.http.requests import server_of
from benchdb.ingest.contract import Fault
from benchdb.runs.cells.cell import Cell


class ComparisonOut(Schema):
    """A content as `.json` has it: its other fields are those of its schema, such as `benchdb.table/3`."""

    model_config = ConfigDict(extra="allow")

    address: str
    frozen: bool
    title: str
    subtitle: str
    query: str
    runs: list[UUID]


class QuantityOut(Schema):
    """A quantity of the machine on both sides: means in `unit` divided by `per`, and rival ÷ baseline."""

    quantity: str
    rank: int | None
    unit: str
    per: str
    baseline_mean: float
    rival_mean: float
    ratio: float | None
    low: float | None
    high: float | None
    p: float
    p_adjusted: float


class RivalQuantitiesOut(Schema):
    """A rival, and its tested quantities: first those that changed, the most certain change first."""

    label: str
    runs: list[UUID]
    different: bool
    quantities: list[QuantityOut]


class GoesWithOut(Schema):
    """What changed on the machine with the differences of one cell and its rivals."""

    address: str
    baseline: str
    rivals: list[RivalQuantitiesOut]


class PercentileOut(Schema):
    """A percentile of all rounds together, in seconds, with its 95 % interval; null with too few rounds."""

    percentile: float
    latency: float
    low: float | None
    high: float | None


class RivalPercentilesOut(Schema):
    """The distribution of latencies behind a cell."""

    label: str
    runs: list[UUID]
    round_count: int
    operations: int
    percentiles: list[PercentileOut]


class ComparedLatenciesOut(Schema):
    """The distributions of latencies behind one cell and its rivals, the baseline first."""

    address: str
    rivals: list[RivalPercentilesOut]


router = Router(tags=["comparisons"])
ERRORS = {frozenset({202, 401, 403, 404, 422, 429, 500, 503}): ErrorOut}
_IDS = {"type": "array", "items": {"type": "string", "format": "uuid"}}
# A selection takes the parameters of the page; some have names that the user makes up (`parameter:depth`).
SELECTION: dict[str, Any] = {
    "parameters": [{"name": name, "in": "query", "required": False, "schema": _IDS} for name in ("run", "campaign")]
}


@router.get("/table/goes-with", response={200: GoesWithOut, **ERRORS}, openapi_extra=SELECTION)
def get_goes_with(request: HttpRequest, cell: str) -> GoesWithOut:
    """What changed on the machine with the differences of a cell. The query string is that of its table.

    404 if the table has no such cell, or fewer than two of its rivals have samples of the machine.
    """
    with _refusals():
        found = compared_cell(request.GET, reader(request))
    compared = found.compared
    return GoesWithOut(
        address=_page(request, "compare-goes-with", f"{found.query}&cell={cell}"),
        baseline=compared.baseline_label,
        rivals=[_rival(found.table.cells[each.cell], each, compared) for each in compared.rivals],
    )


@router.get("/table/latencies", response={200: ComparedLatenciesOut, **ERRORS}, openapi_extra=SELECTION)
def get_compared_latencies(request: HttpRequest, cell: str) -> ComparedLatenciesOut:
    """The percentiles of latencies behind a cell and its rivals. The query string is that of its table.

    404 if the table has no such cell, or no rival has distributions.
    """
    with _refusals():
        found = measured_cell(request.GET, reader(request))
    return ComparedLatenciesOut(
        address=_page(request, "compare-latencies", f"{found.query}&cell={cell}"),
        rivals=[_percentiles(each) for each in found.rivals],
    )


@router.get("/{kind}", response={200: ComparisonOut, **ERRORS}, openapi_extra=SELECTION)
def get_comparison(request: HttpRequest, kind: Literal["table", "surface", "trend", "response"]) -> HttpResponseBase:
    """A table, a surface, a trend or response curves. The query string is that of the page.

    The answer is the page’s `.json`, with the permissions of the token. 202 while a worker computes it; 422 for an
    impossible query, with the possible values.
    """
    part = LivePart("file", kind, request.GET.urlencode(), "json", "cells", server_of(request))
    with _refusals():
        return file_response(request, live_file(part, reader(request)), {"Content-Type": JSON.content_type})


@contextmanager
def _refusals() -> Iterator[None]:
    """Answer an impossible selection with 422 and every fault, and one of nothing that may be seen with 404."""
    try:
        yield
    except NothingThere:
        raise Http404 from None
    except ImpossibleSelection as error:
        faults = [Fault("", None, expected) for expected in error.faults]
        raise ApiError(422, "impossible_selection", "This query cannot be shown.", faults) from None


def _page(request: HttpRequest, name: str, query: str) -> str:
    return request.build_absolute_uri(f"{reverse(name)}?{query}")


def _rival(cell: Cell, rival: ComparedRival, compared: ComparedRivals) -> RivalQuantitiesOut:
    return RivalQuantitiesOut(
        label=rival.label,
        runs=[UUID(run) for run in cell.runs],
        different=is_different(cell),
        quantities=[_quantity(each, compared) for each in rival.quantities],
    )


def _quantity(each: ComparedQuantity, compared: ComparedRivals) -> QuantityOut:
    return QuantityOut(
        quantity=each.quantity.name,
        rank=each.rank,
        unit=each.quantity.unit,
        per=per_of(each.quantity, compared.work),
        baseline_mean=each.baseline,
        rival_mean=each.rival,
        ratio=_finite(each.ratio),
        low=_finite(each.low),
        high=_finite(each.high),
        p=each.p,
        p_adjusted=each.p_adjusted,
    )


def _finite(value: float) -> float | None:
    """The value; None for an infinite end of an interval, which JSON cannot have."""
    return value if isfinite(value) else None


def _percentiles(rival: MeasuredRival) -> RivalPercentilesOut:
    found = percentiles_of(rival)
    bounds = found.bounds
    return RivalPercentilesOut(
        label=rival.label,
        runs=[UUID(run) for run in rival.cell.runs],
        round_count=len(rival.distribution.rounds),
        operations=int(rival.distribution.operations.sum()),
        percentiles=[
            PercentileOut(
                percentile=float(f"{100 * share:.10g}"),
                latency=latency,
                low=None if bounds is None else bounds.low[i],
                high=None if bounds is None else bounds.high[i],
            )
            for i, (share, latency) in enumerate(zip(found.shares, found.latency.tolist(), strict=True))
        ],
    )
