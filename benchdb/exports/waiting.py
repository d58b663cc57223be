"""Answers for files that a worker makes: the file, or a page that waits for it, or why there is none."""

from __future__ import annotations

import gzip

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from benchdb.compare.page_parts.exports_and_progress import name_of
from benchdb.exports.formats import FORMATS
from benchdb.http.rate_limits import address_of

from .contents import Content
from .made_files import Busy, OneAtATime, ask
from .models import Export
from .origin import Origin

RETRY_SECONDS = 2
BUSY_SECONDS = 30


def from_worker(request: HttpRequest, content: Content, origin: Origin, form: str) -> HttpResponse:
    """200 with the file where it is there, 202 while it is made, 500 with the reason where that failed, 503 where too
    many others wait, 429 where another one waits that the same address asked for.
    """
    try:
        export = ask(content, origin, form, address_of(request))
    except OneAtATime:
        text = "Another file that was asked for from your address is being made. Those of permalinks do not wait."
        return _said(request, 429, text, retry=RETRY_SECONDS)
    except Busy:
        return _said(request, 503, "Too many pictures and files are being made at the moment.", retry=BUSY_SECONDS)
    if export.state == Export.State.READY:
        return _file(request, export)
    if export.state == Export.State.FAILED:
        text = f"It could not be made: {export.failure}. The page and the other formats are not affected."
        return _said(request, 500, text)
    return _said(
        request,
        202,
        f"The {name_of(form)} file is being made. It appears here by itself, usually within a few seconds.",
        retry=RETRY_SECONDS,
        export=export,
    )


def _file(request: HttpRequest, export: Export) -> HttpResponse:
    """As it is stored, gzipped, for all who take that; that is every browser."""
    media_type = FORMATS[export.form].MEDIA_TYPE
    if export.form not in ("png", "pdf"):
        media_type += "; charset=utf-8"
    data = bytes(export.data or b"")
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(data, content_type=media_type, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(data), content_type=media_type)
    response["Vary"] = "Accept-Encoding"
    response["ETag"] = f'W/"{export.digest}"'
    return response


def _said(
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
