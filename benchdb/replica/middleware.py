"""Sends reading requests to the replica, and records after a write which position its account must see."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from benchdb.replica import REPLICA

from .positions import record_write
from .reading import RequestReader, current

READS = ("GET", "HEAD")
# Not found, gone, no database: the primary may have a newer answer than the replica.
RETRIED_STATUSES = (404, 410, 503)


class ReadFromReplica:
    """The innermost middleware: a request that is answered a second time runs only the view again."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reads = request.method in READS
        reader = RequestReader(request, replica=reads)
        response = self._answered(request, reader)
        if reader.used and response.status_code in RETRIED_STATUSES:
            reader = RequestReader(request, replica=False)
            response = self._answered(request, reader)
        if (reader.wrote or not reads) and response.status_code < 500 and reader.account_key is not None:
            record_write(reader.account_key)
        return response

    def _answered(self, request: HttpRequest, reader: RequestReader) -> HttpResponse:
        before = current.set(reader)
        try:
            return self.respond(request)
        finally:
            current.reset(before)
