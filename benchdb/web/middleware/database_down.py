"""The response of pages while the database is away."""

from __future__ import annotations

from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from benchdb.web.views import database_failed


class DatabaseDown:
    """Answers 503 with Retry-After instead of 500 if a view could not reach the database."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.respond(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Django's hook for an exception of a view."""
        return database_failed(request, error) if isinstance(error, InterfaceError | OperationalError) else None
