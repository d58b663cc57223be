"""Rate limits for one address and one account: docs/security.md, "Limits". `benchdb.api` has those of tokens."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from ninja.errors import AuthenticationError

from benchdb.api.errors import on_unauthenticated, too_often
from benchdb.http.rate_limits import address_of, too_many
from benchdb.ingest.models import Token
from benchdb.roles import only_reads
from benchdb.web.views import too_many_requests

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


SAFE = ("GET", "HEAD", "OPTIONS")
# Views without data, open to everybody even if only accounts may read.
OPEN = {
    *("login", "login-code", "forgotten", "new-password", "oidc-start", "oidc-callback", "oidc-sign-out", "signed-out"),
    *("sign-up", "sign-up-sent", "sign-up-confirm", "sign-up-account"),
    *("agent-file", "agent-checksum", "docs", "docs-page"),
}
# Views that programs request: a sign-in page instead of 401 would look like an answer.
OF_PROGRAMS = {"oembed", "runs-feed", "campaigns-feed", "trend-feed"}
# Views that viewers may post to, about their own account; and views with forms that viewers may not send.
OF_VIEWERS = {
    *("account", "login", "login-code", "logout", "password", "second-factor", "token-revoke", "password_change"),
    *("oidc-connect", "oidc-disconnect", "sign-up", "sign-up-account"),
    *("forgotten", "new-password", "address", "address-confirm"),
}
FORMS = {"plan-new", "imports"}


class AccessMiddleware:
    """Checks access before every view, so that a new view needs no check. Raises PermissionDenied."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.respond(request)

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """Django's hook: a response that replaces the view's, or None."""
        # `path_info` is what URL patterns match; `path` may have a prefix from the web server.
        match, of_api = request.resolver_match, request.path_info.startswith("/api/v1/")
        assert match is not None, "a view was found"
        if of_api and (header := request.headers.get("Authorization")) is not None:
            secret = header.partition(" ")[2].strip()
            # Its routes say what is wrong with a token, but for descriptions, which other sites show to everybody.
            if settings.READERS != "accounts" or Token.objects.valid().matching(secret).exists():
                return None
        if settings.READERS == "accounts" and match.url_name not in OPEN and not request.user.is_authenticated:
            if of_api:
                return on_unauthenticated(request, AuthenticationError())
            if match.url_name in OF_PROGRAMS:
                return HttpResponse("Only accounts may read this site.\n", status=401, content_type="text/plain")
            return redirect_to_login(request.get_full_path() if request.method in SAFE else "/")
        # Only then, because reading the session would keep caches from sharing permalinks and files (`Vary: Cookie`).
        writes = match.url_name in FORMS if request.method in SAFE else match.url_name not in OF_VIEWERS
        if writes and not of_api and only_reads(request.user):
            raise PermissionDenied
        return None
