"""Lets requests that only read do so from the replica, and notes for the others what their account must see."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from benchdb.replica import REPLICA

from .notes import note
from .reading import Reader, current

READS = ("GET", "HEAD")
# Not there, not there any more, no database: what the replica says of this, the primary may know better.
AGAIN = (404, 410, 503)


class ReadFromReplica:
    """The innermost middleware: what is answered again is answered by the view alone."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reads = request.method in READS
        reader = Reader(request, replica=reads)
        response = self._answered(request, reader)
        if reader.used and response.status_code in AGAIN:
            reader = Reader(request, replica=False)
            response = self._answered(request, reader)
        if (reader.wrote or not reads) and response.status_code < 500 and reader.who is not None:
            note(reader.who)
        return response

    def _answered(self, request: HttpRequest, reader: Reader) -> HttpResponse:
        before = current.set(reader)
        try:
            return self.respond(request)
        finally:
            current.reset(before)
