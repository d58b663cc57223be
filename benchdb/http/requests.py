"""Parts of a request that the views of all apps read."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest
from django.http.request import split_domain_port

Reader = User | AnonymousUser  # the user of a request, signed in or not


class AuthenticatedRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def server_of(request: HttpRequest) -> str:
    """The address under which the reader reaches this server, in one spelling and without a trailing slash.

    Raises DisallowedHost for a foreign name, and for a port that none can be.
    """
    name, port = split_domain_port(request.get_host())  # in small letters, without a last dot
    if len(port) > 5 or int(port or 0) > 65535:
        raise DisallowedHost(f"there is no port {port:.20}")
    return f"{request.scheme}://{name}:{int(port)}" if port else f"{request.scheme}://{name}"


def site_of(request: HttpRequest) -> str:
    """The address of the site, for links, providers and files: with a port of its own, not one that anybody may write.

    Raises DisallowedHost as `server_of`.
    """
    asked = urlsplit(server_of(request))
    ours = {urlsplit(origin).port for origin in settings.CSRF_TRUSTED_ORIGINS} | {int(request.META["SERVER_PORT"])}
    return f"{asked.scheme}://{asked.netloc if asked.port in ours else asked.netloc.removesuffix(f':{asked.port}')}"


def number_of(request: HttpRequest, name: str) -> int:
    """A number from the query string, 0 if absent. Raises Http404 for anything but a decimal number."""
    text = request.GET.get(name) or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return int(text)
