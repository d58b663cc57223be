"""Signs a person in whom somebody else has identified."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from benchdb.web.account import second_factor

BACKEND = "django.contrib.auth.backends.ModelBackend"
WAY = "signed_in_by"  # in a session: how it was signed in, if not with a password


def here(request: HttpRequest, address: str) -> str:
    """The address if it is one of this site, else the list of runs."""
    allowed = url_has_allowed_host_and_scheme(address, request.get_host(), request.is_secure())
    return address if allowed else settings.LOGIN_REDIRECT_URL


def sign_in(request: HttpRequest, user: User, way: str, address: str) -> HttpResponse:
    """Sign in and redirect to `address`; if the account has a second factor, its code is asked for first."""
    if second_factor.is_on(user):
        second_factor.remember(request, user, here(request, address))
        request.session[WAY] = way
        return redirect("login-code")
    second_factor.signs_in(request)
    login(request, user, backend=BACKEND)  # with a new session id, so that nobody can know it from before
    request.session[WAY] = way
    return redirect(here(request, address))
