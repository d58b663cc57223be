"""Signs in whom a proxy in front has identified, by a header that only this proxy may send, or by a WSGI variable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from benchdb.identity.names import is_free
from benchdb.identity.services import new_account
from benchdb.roles import is_reserved
from benchdb.web.middleware.privacy import SHARED
from benchdb.web.sign_in.finishing import BACKEND, WAY
from benchdb.web.sign_in.refusals import SignInRefused, refused

log = logging.getLogger(__name__)

WSGI_VARIABLE = "REMOTE_USER"  # no client can set it: headers begin with HTTP_
PROXY = "proxy"  # in a session: how it was signed in
LONGEST_NAME = 150  # of Django's accounts


class RemoteUser:
    """Keeps the session that of the account whose name the proxy gives with each request; off without a setting."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not settings.REMOTE_USER:
            return self.respond(request)
        name = _believed(request)
        of_program = request.path_info.startswith("/api/") and "Authorization" in request.headers
        shared = request.path_info.startswith(SHARED) and request.method in ("GET", "HEAD")
        if of_program or (shared and settings.SESSION_COOKIE_NAME not in request.COOKIES):
            return self.respond(request)  # answers that depend on a token, or that caches keep for all readers
        try:
            _follow(request, name)
        except SignInRefused as error:
            return refused(request, error)
        response = self.respond(request)
        if shared and request.session.modified:
            response["Cache-Control"] = "private, no-cache"  # it has the cookie of the new session, or ends the old one
        return response


def _believed(request: HttpRequest) -> str:
    """The name that the proxy gives; a header of anybody else is dropped, so that nothing after this sees it."""
    if settings.REMOTE_USER == WSGI_VARIABLE:
        return str(request.META.get(WSGI_VARIABLE, ""))
    key = f"HTTP_{settings.REMOTE_USER.upper().replace('-', '_')}"
    name = request.META.pop(key, "")
    if name and not _is_proxy(request.META.get("REMOTE_ADDR", "")):
        log.warning("the header %s of %s was ignored: it is none of the proxies", key, request.META.get("REMOTE_ADDR"))
        return ""
    return str(name)


def _is_proxy(address: str) -> bool:
    """Whether the client of this connection may give names; X-Forwarded-For does not count."""
    try:
        client = ip_address(address)
    except ValueError:
        return False
    client = getattr(client, "ipv4_mapped", None) or client
    return any(client in ip_network(network) for network in settings.REMOTE_USER_PROXIES.split(","))


def _follow(request: HttpRequest, name: str) -> None:
    """Sign in as the account of this name, or end the session that a proxy began. Raises SignInRefused."""
    by_proxy = request.session.get(WAY) == PROXY
    if not name:
        if by_proxy:
            logout(request)
        return
    if by_proxy and request.user.is_authenticated and request.user.get_username() == name:
        return
    login(request, _account(name), backend=BACKEND)  # ends a session of another account
    request.session[WAY] = PROXY


def _account(name: str) -> User:
    """The account of a name, made now if the site allows it. Raises SignInRefused."""
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        raise _refusal("The name that the proxy gives cannot be that of an account", f"{name!r:.200}") from None
    if len(name) > LONGEST_NAME or is_reserved(name):
        raise _refusal("The name that the proxy gives cannot be that of an account", f"{name!r:.200}")
    user = User.objects.filter(username=name).first()
    if user is None and settings.REMOTE_USER_ACCOUNTS == "create" and is_free(name):
        try:
            with transaction.atomic():
                user = new_account(name)
        except IntegrityError:  # by another request at this moment
            user = User.objects.filter(username=name).first()
    if user is None:
        raise _refusal("You have no account here", f"no account for {name!r}")
    if not user.is_active:
        raise _refusal("Your account is closed", f"{name!r} is closed")
    return user


def _refusal(message: str, cause: str) -> SignInRefused:
    return SignInRefused(403, message, "Ask the administrator about it.", f"by the proxy: {cause}")
