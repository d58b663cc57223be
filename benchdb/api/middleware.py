"""Middleware for all answers of the API, including those outside of routes."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, UnreadablePostError

from .errors import error_response

Respond = Callable[[HttpRequest], HttpResponse]

CHUNK = 1 << 20
MOST_TAKEN = 256 * CHUNK


def answers_of_the_api(respond: Respond) -> Respond:
    """Give `405` the shape of all errors, and read the whole body of a refused request."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if request.path_info.startswith("/api/") and response.status_code >= 400:
            _take_the_rest(request)
            if isinstance(response, HttpResponseNotAllowed):
                return _not_allowed(request, response["Allow"])
        return response

    return middleware


def _not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    answer = error_response(405, "method_not_allowed", f"This address accepts {allowed}, not {request.method}.")
    answer["Allow"] = allowed
    return answer


def _take_the_rest(request: HttpRequest) -> None:
    """Read and discard the rest of the body, within bounds.

    A client reads the answer after sending everything. If the server closed the connection before, the client would see
    a broken pipe instead of, for example, an expired token, and would try again and again.
    """
    read_bytes = 0
    try:
        while read_bytes < MOST_TAKEN and (chunk := request.read(CHUNK)):
            read_bytes += len(chunk)
    except UnreadablePostError:
        return  # the client is gone
