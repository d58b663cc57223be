"""Carries the secret of a new token from the form to the page after the redirect, and stores it nowhere.

The answer to the form redirects, so that reloading the page makes no second token. The secret travels in a cookie of
the page's own path, which the page deletes when it shows the secret.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.cache import add_never_cache_headers

COOKIE = "new-token"
SECONDS = 60  # from the redirect to the page


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made, with its secret."""

    name: str
    secret: str


def redirect_with(made: NewToken, request: HttpRequest, address: str = "") -> HttpResponse:
    """Redirect to an address of this site, by default that of the form; its page shows the token once."""
    response = HttpResponseRedirect(address or request.path)
    response.set_cookie(
        COOKIE,
        signing.dumps([made.name, made.secret], salt=_salt(request)),
        max_age=SECONDS,
        path=urlsplit(address).path or request.path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    add_never_cache_headers(response)
    return response


def carried(request: HttpRequest) -> NewToken | None:
    """The new token that the request carries, if any."""
    try:
        return NewToken(*signing.loads(request.COOKIES[COOKIE], salt=_salt(request), max_age=SECONDS))
    except (KeyError, signing.BadSignature):
        return None


def _salt(request: HttpRequest) -> str:
    """Of one account, so that a cookie from elsewhere shows nobody a foreign token."""
    return f"{COOKIE} {request.user.pk}"


def only_now(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    """The page that shows the token: no cache keeps it, and the next request does not carry it."""
    response.delete_cookie(COOKIE, path=request.path, samesite="Lax")
    add_never_cache_headers(response)
    return response
