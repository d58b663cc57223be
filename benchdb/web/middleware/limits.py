"""Rate limits for one address and one account: docs/security.md, "Limits". `benchdb.api` has those of tokens."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from benchdb.api.errors import too_often
from benchdb.http.rate_limits import address_of, too_many
from benchdb.web.views import too_many_requests

from .access import SAFE

NOBODY_SECONDS = 3600  # until a session without a signed-in user ends
# Views that store a session when somebody opens their address, and so count as requests that write.
BEGIN_SESSIONS = {"oidc-start", "sign-up-confirm", "new-password"}
# Settings by URL name; the API has the same limit for the same action.
OF_ACCOUNTS = {"share": "SHARE_RATE", "imports": "IMPORT_RATE"}


class Limits:
    """Answers 429 with Retry-After before the view runs and before the body is read. Sessions of nobody end soon."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response, session = self.respond(request), request.session
        if session.modified and not session.is_empty():
            session.set_expiry(NOBODY_SECONDS if request.user.is_anonymous else None)
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """Django's hook: a response that replaces the view's, or None."""
        assert request.resolver_match is not None, "a view was found"
        name = request.resolver_match.url_name or ""
        if request.method in SAFE and name not in BEGIN_SESSIONS:
            return None
        of_api = request.path_info.startswith("/api/v1/")
        seconds = too_many("ADDRESS_RATE", address_of(request))
        if seconds is None and not of_api and request.user.is_authenticated:
            rate = OF_ACCOUNTS.get(name)
            seconds = too_many(rate, f"account {request.user.pk}") if rate else None
        if seconds is None:
            return None
        return too_often(seconds) if of_api else too_many_requests(request, seconds)
