"""One shape for every error: `{"error": {"code", "message", "faults": []}}`."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from ninja import Schema
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from benchdb.compare.page_parts.kept import LeftToWorker
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.exports.worker_responses import progress_of
from benchdb.http.work import MustWait, NoTurn
from benchdb.ingest.contract import Fault
from benchdb.quotas.limits import QuotaExceeded

log = logging.getLogger(__name__)

RETRY_SECONDS = 5
CODES = {202: "computing", 429: "too_many_requests", 500: "failed", 503: "busy"}  # of what a worker makes


class FaultOut(Schema):
    """One thing that is wrong with what was sent."""

    pointer: str
    value: object = None
    expected: str


class ErrorBody(Schema):
    """What went wrong, for programs (`code`) and for people (`message`)."""

    code: str
    message: str
    faults: list[FaultOut] = []


class ErrorOut(Schema):
    """Every error answer."""

    error: ErrorBody


class ApiError(Exception):
    """End a request with this status, code and message."""

    def __init__(self, status: int, code: str, message: str, faults: Sequence[Fault] = ()) -> None:
        self.status, self.code, self.message, self.faults = status, code, message, faults
        super().__init__(message)


class TokenRefused(AuthenticationError):
    """A token that was valid once; `reason` is a sentence."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__()


def error_response(status: int, code: str, message: str, faults: Sequence[Fault] = ()) -> HttpResponse:
    """The response to an error, also for code outside of routes that cannot raise ApiError."""
    listed = [fault.as_dict() for fault in faults]
    return JsonResponse({"error": {"code": code, "message": message, "faults": listed}}, status=status)


def on_api_error(request: HttpRequest, error: ApiError) -> HttpResponse:
    """An error that a route raised on purpose."""
    return error_response(error.status, error.code, error.message, error.faults)


def on_unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    """401: no token, an unknown token, or an ended token with its end."""
    why = error.reason if isinstance(error, TokenRefused) else "The request has no token, or an unknown one."
    account = request.build_absolute_uri(reverse("account"))
    response = error_response(
        401, "unauthorized", f"{why} Send a valid one (Authorization: Bearer TOKEN); {account} makes them."
    )
    response["WWW-Authenticate"] = "Bearer"
    return response


def on_throttled(request: HttpRequest, error: Throttled) -> HttpResponse:
    """429 with the seconds to wait."""
    return too_often(max(1, math.ceil(error.wait or 1)), "with this token")


def too_often(seconds: int, of: str = "from this address") -> HttpResponse:
    """429 with this number of seconds to wait."""
    return _wait(seconds, f"Too many requests {of}. Try again in {seconds} s.")


def _wait(seconds: int, message: str) -> HttpResponse:
    response = error_response(429, "too_many_requests", message)
    response["Retry-After"] = str(seconds)
    return response


def on_must_wait(request: HttpRequest, error: MustWait) -> HttpResponse:
    """429: the request is large, and its work has not begun."""
    if not isinstance(error, NoTurn):
        return too_often(error.seconds)
    return _wait(error.seconds, f"The server answers other large requests. Try again in {error.seconds} s.")


def on_left_to_worker(request: HttpRequest, error: LeftToWorker) -> HttpResponse:
    """202 while a worker computes what was asked for: send the request again. 422 if it found that it is impossible."""
    try:
        progress = progress_of(request, error)
    except ImpossibleSelection as refused:
        return on_impossible(request, refused)
    response = error_response(progress.status, CODES[progress.status], progress.text)
    if progress.retry is not None:
        response["Retry-After"] = str(progress.retry)
    return response


def on_impossible(request: HttpRequest, error: ImpossibleSelection) -> HttpResponse:
    """422 with every fault of a selection."""
    faults = [Fault("/query", None, expected) for expected in error.faults]
    return error_response(422, "impossible_selection", "This query cannot be shown.", faults)


def on_quota(request: HttpRequest, error: QuotaExceeded) -> HttpResponse:
    """507: a quota is used up, and nothing was stored. Agents keep the document until a person sends it again."""
    of = "site" if error.of_site else "account"
    fault = Fault(f"/quota/{of}/{error.quota}", error.used + error.added, f"at most {error.most}")
    return error_response(507, "quota_exceeded", f"Nothing was stored. {error}", [fault])


def on_invalid_request(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """422: a parameter of the address or the query is invalid."""
    faults = [
        Fault("/" + "/".join(map(str, item["loc"][2:] if item["loc"][0] == "body" else item["loc"])), None, item["msg"])
        for item in error.errors
    ]
    return error_response(422, "invalid_request", "The request has faults.", faults)


def on_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    """404: nothing there, or nothing that this token may see."""
    return error_response(404, "not_found", "Not found, or not visible to you.")


LOCKED = "Something else is changing this at the moment"


def is_away(error: Exception) -> bool:
    """Whether an error of the database means that it is unreachable, starting or stopping.

    Otherwise the database answered, for example that a statement took too long or its disk is full. Codes 08 and 57P
    are of connections (PostgreSQL's manual, appendix A); without an answer there is no code.
    """
    return (getattr(error.__cause__, "sqlstate", None) or "08").startswith(("08", "57P"))


def is_locked(error: Exception) -> bool:
    """Whether another request or a task changes the same rows."""
    return getattr(error.__cause__, "sqlstate", None) == "55P03"


def on_database_down(request: HttpRequest, error: Exception) -> HttpResponse:
    """503: nothing was stored; the agent keeps the document and sends it again."""
    away = is_away(error)
    if not away:
        log.error("the database could not answer %s: %s", request.path, error)
    message = f"The database {'does not answer' if away else 'could not answer this'}"
    message = LOCKED if is_locked(error) else message
    response = error_response(503, "unavailable", f"{message}. Nothing was stored; try again later.")
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """400: django-ninja refused a body that is not JSON."""
    return error_response(error.status_code, "bad_request", f"{error}.")


FOREIGN = (
    (Http404, on_not_found),
    (HttpError, on_http_error),
    (OperationalError, on_database_down),
    (InterfaceError, on_database_down),
)
