"""Charges each request its time and the database's, and refuses those whose address or account used up its budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db import connections
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse

from benchdb.api.errors import too_often
from benchdb.compare.page_parts.kept import LeftToWorker
from benchdb.connections.database.watched import WatchedConnection
from benchdb.exports.worker_responses import computing
from benchdb.http.overtime import OutOfTime
from benchdb.http.rate_limits import address_of
from benchdb.http.work import MustWait, RequestAccount, begin, pays, waited
from benchdb.web.views import too_long, too_many_requests

PERMALINKS = "/c/"  # caches keep them for all readers, so the session may not be read


class Budget:
    """Answers 429 with Retry-After before the view runs. `benchdb.api` lets the accounts of tokens pay."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond
        WatchedConnection.waited = waited

    def __call__(self, request: HttpRequest) -> HttpResponse:
        account = begin(reads=request.method in ("GET", "HEAD"))
        try:
            response = self.respond(request)
        except OutOfTime:
            connections.close_all()  # a statement or a transaction may not have ended
            response = too_long(request)
        except BaseException:
            account.end()
            raise
        if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
            response.streaming_content = _Pieces(response.streaming_content, account)
        else:
            account.end()
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """Django's hook: a response that replaces the view's, or None."""
        payers = [f"address {address_of(request)}"]
        has_session = settings.SESSION_COOKIE_NAME in request.COOKIES and not request.path_info.startswith(PERMALINKS)
        if has_session and request.user.is_authenticated:
            payers.append(f"account {request.user.pk}")
        seconds = pays(*payers)
        return None if seconds is None else _refused(request, seconds)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Django's hook: the response to a request that may not begin now, or whose work is a task."""
        if isinstance(error, LeftToWorker):
            return computing(request, error)
        return _refused(request, error.seconds) if isinstance(error, MustWait) else None


@dataclass
class _Pieces:
    """A streamed answer, which is made while it is sent; its account ends with it."""

    pieces: Iterable[bytes]
    account: RequestAccount

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.pieces)

    def close(self) -> None:
        """Django's hook: the answer is sent, or its client is gone."""
        self.account.end()


def _refused(request: HttpRequest, seconds: int) -> HttpResponse:
    of_api = request.path_info.startswith("/api/v1/")
    return too_often(seconds) if of_api else too_many_requests(request, seconds)
