"""Asks for the password once more before a form that matters counts: a session alone may be stolen, or left open.

Accounts without a password sign in by their provider again, or send a code of their second factor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from benchdb.http.rate_limits import is_full, too_many
from benchdb.http.requests import AuthenticatedRequest
from benchdb.web.views import too_many_requests

from . import second_factor

SECONDS = 600  # before a form asks again
PASSWORD, PROVIDER, CODE = "password", "provider", "code"


def asked_again(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a POST of a signed-in reader reach the view only if they have shown in the last minutes who they are.

    The page that asks has the fields of the form in it, so nothing is entered twice.
    """

    @wraps(view)
    def answered(request: AuthenticatedRequest, *args: object, **kwargs: object) -> HttpResponse:
        asks = request.method == "POST" and request.user.is_authenticated
        return (asks and _question(request)) or view(request, *args, **kwargs)

    return answered


def _question(request: AuthenticatedRequest) -> HttpResponse | None:
    """The page that asks; None if the form counts."""
    way, sent, who = _way(request), request.POST.get("password"), f"password of {request.user.pk}"
    if way is None or time.time() - request.session.get(second_factor.PROVED_AT, 0) < SECONDS:
        return None
    if way == PASSWORD and sent is not None:
        if seconds := is_full("LOGIN_NAME_RATE", who):
            return too_many_requests(request, seconds)
        if request.user.check_password(sent):
            request.session[second_factor.PROVED_AT] = int(time.time())
            return None
        too_many("LOGIN_NAME_RATE", who)
    entered = {name: values for name, values in request.POST.lists() if name not in ("csrfmiddlewaretoken", "password")}
    faults = ["The password is wrong."] if sent is not None else []
    shown = {"section": "account", "way": way, "entered": entered, "faults": faults, "provider": settings.OIDC_LABEL}
    return render(request, "web/again.html", shown, status=403)


def _way(request: AuthenticatedRequest) -> str | None:
    """How the reader can show who they are; None for accounts that only a proxy signs in, with each request."""
    if request.user.has_usable_password():
        return PASSWORD
    if settings.OIDC_ISSUER and request.user.identities.filter(issuer=settings.OIDC_ISSUER).exists():
        return PROVIDER
    return CODE if second_factor.is_on(request.user) else None
