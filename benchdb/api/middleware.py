"""Gives the one error shape to answers that are made before or beside the routes."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed

from .errors import error_response

Respond = Callable[[HttpRequest], HttpResponse]


def one_error_shape(respond: Respond) -> Respond:
    """`405` of an address that knows other methods: JSON, as every other error of the API."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        if request.path.startswith("/api/") and isinstance(response, HttpResponseNotAllowed):
            allowed = response["Allow"]
            response = error_response(405, "method_not_allowed", f"This address takes {allowed}, not {request.method}.")
            response["Allow"] = allowed
        return response

    return middleware
