"""The API with all routes and error handlers. Routes parse, call a service and answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja.errors import AuthenticationError, Throttled, ValidationError

from benchdb.api.openapi.described_api import DescribedAPI
from benchdb.api.routes.campaigns import router as campaigns
from benchdb.api.routes.changes import router as changes
from benchdb.api.routes.comparisons import router as comparisons
from benchdb.api.routes.gate import router as gate
from benchdb.api.routes.histograms import router as histograms
from benchdb.api.routes.imports import router as imports
from benchdb.api.routes.permalinks import router as permalinks
from benchdb.api.routes.queue import router as queue
from benchdb.api.routes.reproductions import router as reproductions
from benchdb.api.routes.run_list import router as run_list
from benchdb.api.routes.runs import router as runs
from benchdb.api.routes.schemas import router as schemas
from benchdb.api.routes.series import router as series
from benchdb.api.routes.status import router as status
from benchdb.api.routes.token import router as token
from benchdb.api.routes.withdrawals import router as withdrawals
from benchdb.api.routes.work import router as work
from benchdb.compare.page_parts.kept import LeftToWorker
from benchdb.http.work import MustWait
from benchdb.quotas.limits import QuotaExceeded

from . import errors

api = DescribedAPI(
    title="BenchDB",
    version="1",
    description=(
        "A results database for file system benchmarks. JSON in and out, base units only: bytes, bytes/s, seconds, "
        "operations/s, ratio. Every error is `{error: {code, message, faults}}` and lists every fault. What is public "
        "is read without a token; for the rest send `Authorization: Bearer TOKEN`."
    ),
    urls_namespace="api-1",
    docs_url=None,
)
api.add_router("/runs", run_list)
api.add_router("/runs", runs)
api.add_router("/runs", histograms)
api.add_router("/runs", series)
api.add_router("/runs", withdrawals)
api.add_router("", changes)
api.add_router("/campaigns", campaigns)
api.add_router("/campaigns", reproductions)
api.add_router("/comparisons", comparisons)
api.add_router("/gate", gate)
api.add_router("/imports", imports)
api.add_router("/queue", queue)
api.add_router("/queue", work)
api.add_router("/permalinks", permalinks)
api.add_router("/schemas", schemas)
api.add_router("/token", token)
api.add_router("/status", status)
HANDLERS: tuple[tuple[type[Exception], Callable[[HttpRequest, Any], HttpResponse]], ...] = (
    (errors.ApiError, errors.on_api_error),
    (AuthenticationError, errors.on_unauthenticated),
    (Throttled, errors.on_throttled),
    (MustWait, errors.on_must_wait),
    (LeftToWorker, errors.on_left_to_worker),
    (QuotaExceeded, errors.on_quota),
    (ValidationError, errors.on_invalid_request),
    *errors.FOREIGN,
)
for kind, handler in HANDLERS:
    api.add_exception_handler(kind, handler)
