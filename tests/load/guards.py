"""What protects the server costs itself: the front's threads, the budget of processor time, and turns."""

import time
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from uuid import uuid4
from wsgiref.types import StartResponse, WSGIEnvironment
from wsgiref.util import FileWrapper

from benchdb.embedded.web_front import Front
from benchdb.http.work import FREE_SECONDS, LARGE_SECONDS, accounted, expect, pays
from tests.bench.ratios import Ratio

from .addresses import Send
from .costs import body_of

ROUNDS, CALLS = 40, 20
PAGE, PIECE = b"x" * 80_000, b"x" * 400_000
Call = Callable[[], object]


def ratios(reference: Send) -> list[Ratio]:
    """The time of each guard ÷ the time of the reference request, measured in turns."""
    calls = {name: (call, []) for name, call in _guards().items()}
    for turn in range(ROUNDS + 1):
        started = time.perf_counter()
        body_of(reference())
        whole = time.perf_counter() - started
        for call, taken in calls.values():
            started = time.perf_counter()
            for _ in range(CALLS):
                call()
            if turn:  # the first round starts threads and connections
                taken.append((time.perf_counter() - started) / CALLS / whole)
    return [Ratio(name, taken) for name, (_, taken) in calls.items()]


def _guards() -> Mapping[str, Call]:
    who = f"address {uuid4()}"
    front = Front(_application, lambda environ: "")

    def account(seconds: float) -> None:
        with accounted():
            pays(who)
            expect(seconds)

    return {
        "front: a page of 80 kB": lambda: _answer(front, b""),
        "front: a body of 200 kB": lambda: _answer(front, PIECE[:200_000]),
        "front: an answer of 4 MB in pieces": lambda: _answer(front, b"pieces"),
        "budget: a request that reserves nothing": lambda: account(0.0),
        "budget: a request that reserves": lambda: account(FREE_SECONDS),
        "budget and turn": lambda: account(LARGE_SECONDS),
    }


def _application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
    start_response("200 OK", [])
    return [PIECE] * 10 if environ["wsgi.input"].read() == b"pieces" else [PAGE]


def _answer(application: Callable[[WSGIEnvironment, StartResponse], Iterable[bytes]], body: bytes) -> None:
    environ = {"PATH_INFO": "/", "wsgi.input": BytesIO(body), "wsgi.file_wrapper": FileWrapper}
    answer = application(environ, lambda *_: lambda _: None)
    for _ in answer:
        pass
    if close := getattr(answer, "close", None):
        close()
