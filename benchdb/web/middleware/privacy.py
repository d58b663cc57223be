"""Headers that keep a page to its reader: for shared caches, other sites, and the devices of a computer."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Features of browsers that no page needs; a script that somebody smuggled in could not use them either.
OFF = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "microphone"),
    *("midi", "payment", "serial", "usb"),
)
PERMISSIONS = ", ".join(f"{feature}=()" for feature in OFF)
SHARED = "/c/"  # permalinks, whose pictures other sites show


class Privacy:
    """Adds the headers that a response does not have yet."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.respond(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        sites = "cross-origin" if request.path_info.startswith(SHARED) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", sites)
        if settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers or response.cookies:
            response.headers.setdefault("Cache-Control", "private")
        return response
