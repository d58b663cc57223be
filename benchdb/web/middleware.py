"""What a page answers while the database is away."""

from __future__ import annotations

from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from benchdb.api.errors import on_database_down

from .views import database_down


class DatabaseDown:
    """503 with Retry-After instead of a 500: nothing is broken, it is only not there."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.respond(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Django's hook for an exception of a view."""
        if not isinstance(error, InterfaceError | OperationalError):
            return None
        return on_database_down(request, error) if request.path_info.startswith("/api/") else database_down(request)
