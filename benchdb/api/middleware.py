"""What holds for every answer of the API, also for those that are made before or beside the routes."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, UnreadablePostError

from .errors import error_response

Respond = Callable[[HttpRequest], HttpResponse]

CHUNK = 1 << 20
MOST_TAKEN = 256 * CHUNK


def answers_of_the_api(respond: Respond) -> Respond:
    """Gives `405` the shape of all errors, and lets a client that is refused finish what it sends."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if request.path_info.startswith("/api/") and response.status_code >= 400:
            _take_the_rest(request)
            if isinstance(response, HttpResponseNotAllowed):
                return _not_allowed(request, response["Allow"])
        return response

    return middleware


def _not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    answer = error_response(405, "method_not_allowed", f"This address takes {allowed}, not {request.method}.")
    answer["Allow"] = allowed
    return answer


def _take_the_rest(request: HttpRequest) -> None:
    """Read and forget the rest of the body, within bounds.

    A client looks for the answer when it has sent all. If the connection were closed before, it would see a broken pipe
    instead of, say, that its token has expired, and would come again and again.
    """
    taken = 0
    try:
        while taken < MOST_TAKEN and (chunk := request.read(CHUNK)):
            taken += len(chunk)
    except UnreadablePostError:
        return  # nobody is left who could read the answer
