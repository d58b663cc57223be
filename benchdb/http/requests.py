"""What the views of all apps read of a request."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest


class AuthenticatedRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def server_of(request: HttpRequest) -> str:
    """The address by which the reader reaches this server, without a slash at its end."""
    return request.build_absolute_uri("/").rstrip("/")


def number_of(request: HttpRequest, name: str) -> int:
    """A number of the query string, 0 where it is not there. Raises Http404 for what is none."""
    text = request.GET.get(name) or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    return int(text)
