"""Responses for what workers make: the file, a page that waits for it, or the reason of a failure."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from benchdb.compare.kinds import KINDS
from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.page_parts.kept import LeftToWorker, Made
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.http.rate_limits import address_of
from benchdb.http.work import expect

from .contents import Content
from .formats import FORMATS
from .models import Export
from .origin import Origin
from .worker_files import Busy, OneAtATime, ask, ask_part

RETRY_SECONDS = 2
BUSY_SECONDS = 30
SECONDS_A_BYTE = 1.2e-8  # to inflate and send a kept file
MOST_AT_ONCE = 256 * 1024  # bytes of a kept file that is inflated as a whole
TITLES = {202: "One moment", 429: "One at a time", 503: "Try again in a minute"}


class WorkerProgress(NamedTuple):
    """How far the work is: a status, a sentence, the seconds after which to ask again, an address with the state."""

    status: int
    text: str
    retry: int | None = None
    poll: str = ""
    state: str = ""


BUSY = WorkerProgress(503, "Too many pages, pictures and files are being made at the moment.", BUSY_SECONDS)


def from_worker(request: HttpRequest, content: Content, origin: Origin, form: str) -> HttpResponse:
    """200 with a finished file of a permalink, 202 while a worker makes it, 500 with the reason after a failure.

    503 if too many files wait, 429 if another file or part waits for the same address.
    """
    try:
        export = ask(content, origin, form, address_of(request))
    except OneAtATime as error:
        return _message(request, _in_turn(error))
    except Busy:
        return _message(request, BUSY)
    if export.state == Export.State.READY:
        return _file(request, export)
    return _message(request, _progress(export, f"{FORMATS[form].label} file"))


def file_response(request: HttpRequest, made: Made, headers: Mapping[str, str]) -> HttpResponseBase:
    """A file as it is kept, for clients that accept that: large ones are not inflated and compressed again."""
    if made.packed and "deflate" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(made.data, headers={**headers, "Content-Encoding": "deflate", "Vary": "Accept-Encoding"})
    if len(made.data) > MOST_AT_ONCE:
        expect(SECONDS_A_BYTE * len(made.data))
        return StreamingHttpResponse(made.pieces(), headers=headers)
    return HttpResponse(made.raw, headers=headers)


def computing(request: HttpRequest, left: LeftToWorker) -> HttpResponse:
    """The response to a request for a part that a worker must make: see `progress_of`; 400 for an impossible one."""
    try:
        return _message(request, progress_of(request, left))
    except ImpossibleSelection as error:
        return impossible(request, error) if _is_browser(request) else impossible_as_text(error)


def progress_of(request: HttpRequest, left: LeftToWorker) -> WorkerProgress:
    """Ask a worker for a part: 202 while it waits, 500 after a failure, 503 if too many parts wait, 429 if another
    part waits for the same account or address. Raises ImpossibleSelection if the worker found that it is.
    """
    part, reader = left.part, left.reader
    for run, state in left.seen.unfinished.items():
        text = "The statistics of a run are computed first. This continues by itself."
        return WorkerProgress(202, text, RETRY_SECONDS, reverse("api-1:get_state", args=[run]), state)
    try:
        # Also of the address, else a client has a place for each of its accounts.
        export = ask_part(left, address_of(request), *([f"account {reader.pk}"] if reader.pk else []))
    except OneAtATime as error:
        return _in_turn(error)
    except Busy:
        return BUSY
    if export.state == Export.State.REFUSED:
        raise ImpossibleSelection(export.failure.splitlines())
    noun = KINDS[part.kind].noun if part.kind in KINDS else "answer"
    return _progress(export, f"{FORMATS[part.form].label} file" if part.maker == "file" else noun)


def _in_turn(error: OneAtATime) -> WorkerProgress:
    text = "Something else for you is being computed. This follows."
    return WorkerProgress(429, text, RETRY_SECONDS, reverse("export-state", args=[error.digest]), Export.State.WAITING)


def _progress(export: Export, what: str) -> WorkerProgress:
    if export.state == Export.State.FAILED:
        return WorkerProgress(
            500, f"The {what} could not be made: {export.failure}. Other pages and files are not affected."
        )
    made = f"The {what} is being made; a worker was asked at {export.asked_at:%H:%M:%S} UTC."
    text = f"{made} It appears here automatically, usually within a few seconds."
    return WorkerProgress(202, text, RETRY_SECONDS, reverse("export-state", args=[export.digest]), export.state)


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


def _is_browser(request: HttpRequest) -> bool:
    return request.accepts("text/html") and "text/html" in request.headers.get("Accept", "")


def _message(request: HttpRequest, progress: WorkerProgress) -> HttpResponse:
    """A page for browsers, a line for programs. The page of a form sends the same form again."""
    status, text, retry, *_ = progress
    if _is_browser(request):
        form = [pair for pair in request.POST.items() if pair[0] != "csrfmiddlewaretoken"]
        context = {"title": TITLES.get(status, "There is no such file"), "progress": progress, "form": form}
        response = render(request, "exports/waiting.html", context, status=status)
    else:
        response = HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
    if retry is not None:
        response["Retry-After"] = str(retry)
    response["Cache-Control"] = "no-store"
    return response
