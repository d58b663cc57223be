"""What caches between us and a reader may do with what shows a permalink: docs/scaling.md, "A CDN"."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse


def is_own(request: HttpRequest) -> bool:
    """Whether something in the page that was made for a reader who is not signed in is this reader's alone."""
    return bool(request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or getattr(get_messages(request), "used", False))


def asked_each_time(
    request: HttpRequest, response: HttpResponse, tag: str | None, *, same_for_all: bool = True
) -> HttpResponse:
    """With the tag, and not to be shown again without asking: what it shows may be taken back by then.

    Where the settings say so, a cache that readers share may answer for some seconds what is the `same_for_all`.
    """
    if tag is not None:
        response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    shared = settings.CDN_SECONDS and settings.READERS == "everybody" and same_for_all
    if shared and not is_own(request) and response.status_code in (200, 304):
        response["Cache-Control"] = f"public, max-age=0, s-maxage={settings.CDN_SECONDS}"
    return response
