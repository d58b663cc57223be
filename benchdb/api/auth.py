"""Authentication by bearer tokens with scopes."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.errors import AuthenticationError, Throttled
from ninja.security import HttpBearer

from benchdb.http.requests import Reader
from benchdb.http.work import pays
from benchdb.ingest.models import Scope, Token
from benchdb.ingest.tokens import find_token, why_refused
from benchdb.replica.reading import is_for

from .errors import ApiError, TokenRefused


class TokenRequest(HttpRequest):
    """A request that `TokenAuth` accepted."""

    auth: Token


class TokenAuth(HttpBearer):
    """A valid token with one of the scopes; 401 without a valid token, 403 without the scope.

    If the owner is a viewer, everything but reads is 403 too. 429 without any processor time left for the owner.
    """

    def __init__(self, *scopes: Scope) -> None:
        super().__init__()
        self.scopes = scopes

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        valid_token = find_token(token.strip())
        if valid_token is None and (why := why_refused(token.strip())):
            raise TokenRefused(why)
        if valid_token is not None and not any(valid_token.allows(scope) for scope in self.scopes):
            needed = " or ".join(scope.value for scope in self.scopes)
            raise ApiError(403, "forbidden", f"This token may not do this: it needs the scope {needed}.")
        if valid_token is not None and valid_token.only_reads and request.method not in ("GET", "HEAD"):
            raise ApiError(
                403, "forbidden", "The account of this token is read-only. An administrator can change its role."
            )
        if valid_token is not None:
            is_for(valid_token.owner_id)
            if seconds := pays(f"account {valid_token.owner_id}"):
                raise Throttled(wait=seconds)
        return valid_token


def reader(request: HttpRequest, *scopes: Scope) -> Reader:
    """The reader: the token's owner, otherwise the session's user, otherwise an anonymous user.

    Tokens with one of `scopes` may read too. An invalid token is an error, because private data of its owner would seem
    not to exist.
    """
    if "Authorization" in request.headers:
        token: Token | None = TokenAuth(Scope.READ, Scope.UPLOAD, *scopes)(request)
        if token is None:
            raise AuthenticationError
        return token.owner
    return request.user if request.user.is_authenticated else AnonymousUser()
