"""Receives requests and sends answers in many threads, and lets the application work in few.

A thread that receives, sends or waits costs little, and one that works costs memory, a session of the database and a
share of Python's lock. With threads of one kind, eight clients that stopped in the middle of their requests stopped the
site, and eight requests to a hanging database silenced `/healthz`. Addresses take turns at the threads that work: 60
connections of one address, in one queue with all others, delayed them by half a minute. Servers with an event loop for
clients are waitress, which has one process, and granian and uvicorn, whose WSGI applications run in such threads too.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from io import SEEK_END
from itertools import chain, islice
from socket import socket
from threading import Event, Lock
from typing import IO, Any
from wsgiref.types import InputStream, StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper

from django.conf import settings

from benchdb.http.overtime import OutOfTime, limited

from . import web_memory

CLIENTS = 96  # threads of a process that receive and send
WORKERS = 4  # threads of a process that work
WORKERS_OF_ONE = WORKERS - 1  # of an address, so that another one finds a thread
SENDING = 32  # places of a process for long answers until they are sent, which leave threads for other requests
SENDING_BYTES = 16 << 20  # of an answer for each place: all have 512 MiB, those of one address 256 MiB
SENDING_STALLED_SECONDS = 300  # for a piece: a proxy takes nothing while its client reads what it has kept
PROXY_BYTES = 4 << 20  # that our proxy keeps of an answer (deploy/nginx); longer ones are long
REQUESTS = CLIENTS - SENDING - 8  # that arrive, wait or are worked on; the rest of the threads is for probes
RECEIVE_SECONDS = 300  # in which a body must arrive
LONG_BYTES = 256 * 1024  # from which a body is long
LONG_BODIES = 32  # long bodies of a process that arrive, wait or are worked on; others are refused unread
LONG_AT_ONCE = 2  # long bodies that a process works on, of two addresses: one has the turn of large requests, one waits
LONG_WAIT_SECONDS = 45  # for the others; clients and proxies wait for a minute
IN_MEMORY_BYTES = 1 << 20  # longer bodies and streamed answers are in temporary files
PIECE_BYTES = 64 * 1024
GZIP_LENGTH_BYTES = 4  # at the end of gzip
ALIVE = "/healthz"  # answered without waiting for the workers

log = logging.getLogger(__name__)

Headers = list[tuple[str, str]]
REFUSAL: Headers = [("Content-Type", "text/plain; charset=utf-8"), ("Retry-After", "5")]
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
SLOW = ("408 Request Timeout", "The request did not arrive in time.\n")
FULL = ("503 Service Unavailable", "Too many requests wait. Send this one again.\n")
TOO_LONG = ("503 Service Unavailable", "This took too long, and was ended. Ask for less.\n")
NO_ROOM = ("503 Service Unavailable", "The server has no room for this request. Send it again.\n")


class Refused(Exception):
    """A request that does not get as far as the application: the status and the text of its answer."""


@dataclass(slots=True)
class WholeAnswer:
    """What the application answered."""

    status: str = ""
    headers: Headers = field(default_factory=list)
    body: Iterable[bytes] = ()


class Places:
    """Places that addresses take in turns; the requests of one get them in their order.

    One address has at most `of_one`. Without it, one takes a place only if it has fewer than are free: the first takes
    at most half of them, the next half of the rest, so that no few addresses leave others without any.
    """

    def __init__(self, places: int, of_one: int | None = None) -> None:
        self._free, self._of_one, self._changing = places, of_one, Lock()
        self.waiting: dict[str, deque[Event]] = {}  # by address, in turn: what tells each of its requests to begin
        self._held: Counter[str] = Counter()

    @contextmanager
    def held(self, address: str, seconds: float | None = 0) -> Iterator[None]:
        """Hold a place during the block, or wait so long for one, None for ever. Raises Refused."""
        begin = Event()
        with self._changing:
            self.waiting.setdefault(address, deque()).append(begin)
            self._let_begin()
        try:
            if not begin.wait(seconds):
                raise Refused(*FULL)
            yield
        finally:
            with self._changing:
                if begin.is_set():
                    self._free += 1
                    self._held -= Counter([address])  # and it forgets an address that has none
                else:
                    self._end_waiting(address, begin)
                self._let_begin()

    def _let_begin(self) -> None:
        most = self._free if self._of_one is None else self._of_one
        address = next((each for each in self.waiting if self._held[each] < most), None)
        if self._free and address is not None:
            self._free -= 1
            self._held[address] += 1
            self._end_waiting(address, self.waiting[address][0]).set()

    def _end_waiting(self, address: str, begin: Event) -> Event:
        """Let the address have its next turn after all others."""
        waiting = self.waiting.pop(address)
        waiting.remove(begin)
        if waiting:
            self.waiting[address] = waiting
        return begin


class Front:
    """The application for gunicorn: an application around another one, with what tells the address of a client."""

    def __init__(self, application: WSGIApplication, address_in: Callable[[WSGIEnvironment], str]) -> None:
        self._application, self._address_in = application, address_in
        self._workers = ThreadPoolExecutor(WORKERS, "work")  # they start with the first requests, after the fork
        self._requests, self._working = Places(REQUESTS), Places(WORKERS, WORKERS_OF_ONE)
        self._long_bodies, self._long_at_once = Places(LONG_BODIES), Places(LONG_AT_ONCE, 1)
        self._sending = Places(SENDING)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request. Raises what the application raises, and OSError if the client is gone."""
        if environ["PATH_INFO"] == ALIVE:
            return self._application(environ, start_response)
        address = self._address_in(environ)
        try:
            is_long = "HTTP_TRANSFER_ENCODING" in environ or int(environ.get("CONTENT_LENGTH") or 0) >= LONG_BYTES
            room = self._long_bodies.held(address) if is_long else nullcontext()
            with self._requests.held(address), room, _received(environ) as body:
                answer = self._answer({**environ, "wsgi.input": body}, address)
            self._keep_places(answer, address, environ.get("gunicorn.socket"))
        except Refused as refused:
            status, text = refused.args
            log.warning("refused a request: %s", text.strip())
            answer = WholeAnswer(status, [*REFUSAL, ("Content-Length", str(len(text)))], [text.encode()])
        start_response(answer.status, answer.headers)
        return answer.body

    def _keep_places(self, answer: WholeAnswer, address: str, client: socket | None) -> None:
        """Let a long answer have places until it is closed: a proxy takes it as its client does. Raises Refused."""
        body: Any = answer.body
        length = next((int(value) for name, value in answer.headers if name.lower() == "content-length"), 0)
        if length > PROXY_BYTES and hasattr(body, "close"):  # else it answers HEAD
            with ExitStack() as places:
                places.callback(body.close)
                for _ in range(0, length, SENDING_BYTES):
                    places.enter_context(self._sending.held(address))
                if client:
                    client.settimeout(SENDING_STALLED_SECONDS)
                body.close = places.pop_all().close

    def _answer(self, environ: WSGIEnvironment, address: str) -> WholeAnswer:
        """The answer to a request that has arrived. Long bodies wait here, where they take no worker and no memory."""
        is_long = _plain_length(environ["wsgi.input"], environ.get("HTTP_CONTENT_ENCODING", "")) >= LONG_BYTES
        in_turn = self._long_at_once.held(address, LONG_WAIT_SECONDS) if is_long else nullcontext()
        with in_turn, self._working.held(address, None):
            return self._workers.submit(self._work, environ).result()

    def _work(self, environ: WSGIEnvironment) -> WholeAnswer:
        """The whole answer, so that a slow reader keeps no worker."""
        answer = WholeAnswer()

        def start(status: str, headers: Headers, exc_info: object = None) -> Callable[[bytes], object]:
            answer.status, answer.headers = status, headers
            return _no_write

        try:
            with limited():
                body = self._application(environ, start)
                wrapper = environ.get("wsgi.file_wrapper")
                if wrapper and isinstance(body, wrapper):
                    answer.body = body
                else:
                    answer.body, length = _whole(body)
                    if length and "content-length" not in {name.lower() for name, _ in answer.headers}:
                        answer.headers.append(("Content-Length", str(length)))
            return answer
        except OutOfTime:  # of a streamed answer: `benchdb.web.middleware.budget` has a page for the others
            raise Refused(*TOO_LONG) from None
        finally:
            web_memory.return_memory()


def _plain_length(body: IO[bytes], encoding: str) -> int:
    """The length of a body without its compression, as the end of gzip states it; the application measures it."""
    length = body.seek(0, SEEK_END)
    if encoding.strip().lower() == "gzip" and length > GZIP_LENGTH_BYTES:
        body.seek(-GZIP_LENGTH_BYTES, SEEK_END)
        length = max(length, int.from_bytes(body.read(), "little"))
    body.seek(0)
    return length


def _no_write(data: bytes) -> object:
    raise NotImplementedError("Django returns its answers")


def _whole(body: Iterable[bytes]) -> tuple[Iterable[bytes], int]:
    """The pieces of an answer, all made now; many bytes are a file, which the server closes, with its length, else 0.

    Raises Refused.
    """
    with ExitStack() as used:
        if close := getattr(body, "close", None):
            used.callback(close)
        pieces = iter(body)
        begin = list(islice(pieces, 2))
        if len(begin) < 2 and sum(map(len, begin)) <= IN_MEMORY_BYTES:
            return begin, 0
        with ExitStack() as failed:
            file = failed.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES))
            length = sum(_write(file, piece) for piece in chain(begin, pieces))
            file.seek(0)
            failed.pop_all()
        return FileWrapper(file, PIECE_BYTES), length


@contextmanager
def _received(environ: WSGIEnvironment) -> Iterator[IO[bytes]]:
    """The body of a request, in a file that exists during the block. Raises Refused.

    The end of a body longer than any allowed one is left out; the application refuses it by its length.
    """
    with tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES) as file:
        if environ.get("HTTP_EXPECT", "").lower() == "100-continue" and environ["SERVER_PROTOCOL"] != "HTTP/1.0":
            environ["gunicorn.socket"].sendall(CONTINUE)
        _receive(environ["wsgi.input"], file)
        file.seek(0)
        yield file


def _receive(source: InputStream, file: IO[bytes]) -> None:
    most, end, size = settings.UPLOAD_MAX_BYTES + PIECE_BYTES, time.monotonic() + RECEIVE_SECONDS, 0
    try:
        while size < most and (piece := source.read(PIECE_BYTES)):
            size += _write(file, piece)
            if time.monotonic() > end:
                raise Refused(*SLOW)
    except BlockingIOError:  # the socket's own timeout
        raise Refused(*SLOW) from None


def _write(file: IO[bytes], data: bytes) -> int:
    """Write to a temporary file. Raises Refused if the disk is full."""
    try:
        return file.write(data)
    except OSError:
        log.exception("no room in %s", tempfile.gettempdir())
        raise Refused(*NO_ROOM) from None
