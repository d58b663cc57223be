"""Who is asking: bearer tokens with a scope."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.errors import AuthenticationError
from ninja.security import HttpBearer

from benchdb.ingest.models import Scope, Token
from benchdb.ingest.tokens import find_token, why_refused
from benchdb.replica.reading import is_for

from .errors import ApiError, TokenRefused


class TokenRequest(HttpRequest):
    """A request that `TokenAuth` let in."""

    auth: Token


class TokenAuth(HttpBearer):
    """A valid token with one of the scopes; 401 without a token or with one that has ended, 403 without the scope.

    403 also for whatever is no read, where the owner is a viewer.
    """

    def __init__(self, *scopes: Scope) -> None:
        super().__init__()
        self.scopes = scopes

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        found = find_token(token.strip())
        if found is None and (why := why_refused(token.strip())):
            raise TokenRefused(why)
        if found is not None and not any(found.allows(scope) for scope in self.scopes):
            needed = " or ".join(scope.value for scope in self.scopes)
            raise ApiError(403, "forbidden", f"This token may not do this: it needs the scope {needed}.")
        if found is not None and found.only_reads and request.method not in ("GET", "HEAD"):
            raise ApiError(403, "forbidden", "The account of this token only reads. An admin can change its role.")
        if found is not None:
            is_for(found.owner_id)
        return found


def reader(request: HttpRequest, *scopes: Scope) -> Any:
    """The user a read is for: the token's owner, else the session's user, else nobody in particular.

    Tokens with one of `scopes` may read too. A token that is not valid is an error here too: what its owner may see
    would look as if it did not exist.
    """
    if "Authorization" in request.headers:
        token = TokenAuth(Scope.READ, Scope.UPLOAD, *scopes)(request)
        if token is None:
            raise AuthenticationError
        return token.owner
    return request.user if request.user.is_authenticated else AnonymousUser()
