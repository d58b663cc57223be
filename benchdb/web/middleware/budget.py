"""Charges each request its processor time, and refuses those whose address or account has used up its budget."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from benchdb.api.errors import too_often
from benchdb.http.rate_limits import address_of
from benchdb.http.work import RETRY_SECONDS, NoTurn, accounted, pays
from benchdb.web.views import too_many_requests

PERMALINKS = "/c/"  # caches keep them for all readers, so the session may not be read


class Budget:
    """Answers 429 with Retry-After before the view runs. `benchdb.api` lets the accounts of tokens pay."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with accounted():
            return self.respond(request)

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """Django's hook: a response that replaces the view's, or None."""
        payers = [f"address {address_of(request)}"]
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES and not request.path_info.startswith(PERMALINKS)
        if has_session and request.user.is_authenticated:
            payers.append(f"account {request.user.pk}")
        seconds = pays(*payers)
        return None if seconds is None else _refused(request, seconds)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Django's hook: the response to a large request that found no turn."""
        return _refused(request, RETRY_SECONDS) if isinstance(error, NoTurn) else None


def _refused(request: HttpRequest, seconds: int) -> HttpResponse:
    of_api = request.path_info.startswith("/api/v1/")
    return too_often(seconds) if of_api else too_many_requests(request, seconds)
