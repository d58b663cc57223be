"""Access to the site and write access by role; see docs/security.md. Queries and views decide about ownership."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from ninja.errors import AuthenticationError

from benchdb.api.errors import on_unauthenticated
from benchdb.ingest.models import Token
from benchdb.roles import only_reads

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
            if settings.READERS != "accounts" or Token.objects.matching(secret).exists():
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
