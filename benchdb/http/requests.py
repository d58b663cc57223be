"""Parts of a request that the views of all apps read."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest

Reader = User | AnonymousUser  # the user of a request, signed in or not


class AuthenticatedRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def server_of(request: HttpRequest) -> str:
    """The address under which the reader reaches this server, without a trailing slash."""
    return f"{request.scheme}://{request.get_host()}"


def number_of(request: HttpRequest, name: str) -> int:
    """A number from the query string, 0 if absent. Raises Http404 for anything but a decimal number."""
    text = request.GET.get(name) or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return int(text)
