"""Responses for files that workers make: the file, a page that waits for it, or the reason of a failure."""

from __future__ import annotations

import gzip

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from benchdb.http.rate_limits import address_of

from .contents import Content
from .formats import FORMATS
from .models import Export
from .origin import Origin
from .worker_files import Busy, OneAtATime, ask

RETRY_SECONDS = 2
BUSY_SECONDS = 30


def from_worker(request: HttpRequest, content: Content, origin: Origin, form: str) -> HttpResponse:
    """200 with a finished file, 202 while a worker makes it, 500 with the reason after a failure.

    503 if too many files wait, 429 if another live file of the same network address waits.
    """
    try:
        export = ask(content, origin, form, address_of(request))
    except OneAtATime:
        text = "Another file for your address is being made. Files of permalinks do not wait."
        return _message(request, 429, text, retry=RETRY_SECONDS)
    except Busy:
        return _message(request, 503, "Too many pictures and files are being made at the moment.", retry=BUSY_SECONDS)
    if export.state == Export.State.READY:
        return _file(request, export)
    if export.state == Export.State.FAILED:
        text = f"The file could not be made: {export.failure}. The page and the other formats are not affected."
        return _message(request, 500, text)
    return _message(
        request,
        202,
        f"The {FORMATS[form].label} file is being made. It appears here automatically, usually within a few seconds.",
        retry=RETRY_SECONDS,
        export=export,
    )


def _file(request: HttpRequest, export: Export) -> HttpResponse:
    """The file as it is stored, gzipped; inflated only for clients that do not accept gzip."""
    content_type = FORMATS[export.form].content_type
    data = bytes(export.data or b"")
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(data, content_type=content_type, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(data), content_type=content_type)
    response["Vary"] = "Accept-Encoding"
    response["ETag"] = f'W/"{export.digest}"'
    return response


def _message(
    request: HttpRequest, status: int, text: str, *, retry: int | None = None, export: Export | None = None
) -> HttpResponse:
    """A page for browsers, a line for programs."""
    if request.accepts("text/html") and "text/html" in request.headers.get("Accept", ""):
        title = {202: "One moment", 429: "One at a time", 503: "Try again in a minute"}.get(
            status, "There is no such file"
        )
        poll = reverse("export-state", args=[export.digest]) if export is not None else None
        context = {"title": title, "text": text, "poll": poll, "state": export and export.state}
        response = render(request, "exports/waiting.html", context, status=status)
    else:
        response = HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
    if retry is not None:
        response["Retry-After"] = str(retry)
    response["Cache-Control"] = "no-store"
    return response
