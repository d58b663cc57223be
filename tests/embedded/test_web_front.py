"""Clients that stop in the middle of a request: others are answered, and the slow ones left."""

import select
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing
from functools import partial
from io import BytesIO
from itertools import cycle, islice
from queue import SimpleQueue
from threading import Event
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request
from wsgiref.types import StartResponse, WSGIEnvironment
from wsgiref.util import FileWrapper

import pytest

from benchagent.server.exchange import Exchange
from benchdb.embedded.web_front import (
    CONTINUE,
    LONG_BODIES,
    PROXY_BYTES,
    REQUESTS,
    SENDING,
    SENDING_BYTES,
    WORKERS,
    WORKERS_OF_ONE,
    Front,
    Headers,
    Places,
    Refused,
)
from tests.operations.test_silent_database import ask, serving
from tests.support.waiting import wait_until

PAGE = "agent/benchagent.pyz"  # handled by the workers; needs no database
CLIENTS = 4 * WORKERS
HEAD = "POST /login/ HTTP/1.1\r\nHost: localhost\r\n"
BODY = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nusername="


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A web server with one process and a database that never answers."""
    with socket.create_server(("127.0.0.1", 0)) as database, serving(database) as address:
        yield address


def stalled(url: str, sent: str, address: str = "127.0.0.1") -> socket.socket:
    """A connection on which a client with this address has sent the beginning of a request."""
    connection = socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), 60, (address, 0))
    connection.sendall(sent.encode())
    return connection


@pytest.mark.parametrize("sent", [HEAD + BODY, HEAD, ""], ids=["body", "headers", "nothing"])
def test_pages_are_answered_while_clients_send_no_more(url: str, sent: str) -> None:
    with ExitStack() as clients:
        for _ in range(CLIENTS):
            clients.enter_context(stalled(url, sent))
        assert ask(url + PAGE)[0] == 200


def test_pages_are_answered_while_clients_read_nothing(url: str) -> None:
    with ExitStack() as clients:
        for _ in range(CLIENTS):
            pages = f"GET /{PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200  # more than buffers of the kernel hold
            clients.enter_context(stalled(url, pages))
        assert ask(url + PAGE)[0] == 200


def test_a_client_that_sends_no_more_is_left(url: str) -> None:
    with stalled(url, HEAD + BODY) as client, stalled(url, HEAD) as other:
        assert client.recv(100).startswith(b"HTTP/1.1 408 ")
        assert other.recv(100) == b""


LONG = 20 << 20  # bytes, far more than the kernel's buffers hold
LONG_HEAD = f"PUT /api/v1/runs/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LONG}\r\n"


def begin_of_answer(url: str, sent: str, address: str = "127.0.0.1") -> bytes:
    """What a client receives first, within ten seconds; empty if nothing."""
    with stalled(url, sent, address) as client:
        return client.recv(100) if select.select([client], [], [], 10)[0] else b""


def test_long_bodies_beyond_the_places_for_them_are_refused_unread(url: str) -> None:
    """Clients that send long documents slowly stop neither pages nor forms, and the agent takes the early answer.

    Each further address finds half of the places that are left.
    """
    expecting, admitted = LONG_HEAD + "Expect: 100-continue\r\n\r\n", []
    with ExitStack() as clients:
        while left := LONG_BODIES - len(admitted):
            address, number = f"127.0.0.{left}", left - left // 2
            admitted += [clients.enter_context(stalled(url, expecting, address)) for _ in range(number)]
            assert {client.recv(100) for client in admitted[-number:]} == {CONTINUE}
            assert begin_of_answer(url, expecting, address).startswith(b"HTTP/1.1 503 ")
        request = Request(f"{url}api/v1/runs/x", bytes(LONG), method="PUT")
        reply = Exchange("127.0.0.1")(request, timeout=60, longest=60)
        assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
        assert ask(url + PAGE)[0] == 200
        assert not select.select(admitted, [], [], 0)[0], "the first ones are still received"


def test_a_client_that_expects_to_continue_is_told_to(url: str) -> None:
    short = HEAD + BODY.replace("Content-Type", "Expect: 100-continue\r\nContent-Type").removesuffix("username=")
    assert begin_of_answer(url, short) == CONTINUE


def echo(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
    """An application that streams the body back in pieces."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    while piece := environ["wsgi.input"].read(100_000):
        yield piece


def answer_of(front: Front, body: bytes, path: str = "/", address: str = "") -> tuple[list[str], bytes]:
    """Status lines, with the length if the answer has one, and body of an answer."""
    statuses: list[str] = []

    def start(status: str, headers: Headers, exc_info: object = None) -> Callable[[bytes], object]:
        statuses.append(" ".join([status, *(value for name, value in headers if name == "Content-Length")]))
        return lambda data: None

    environ = {"PATH_INFO": path, "REMOTE_ADDR": address, "wsgi.input": BytesIO(body), "wsgi.file_wrapper": FileWrapper}
    answer = front(environ, start)
    with ExitStack() as served:  # a server closes answers (PEP 3333)
        if close := getattr(answer, "close", None):
            served.callback(close)
        return statuses, b"".join(answer)


@pytest.mark.parametrize("size", [0, 10, 3_000_000])
def test_bodies_and_answers_pass_whole(size: int) -> None:
    body = bytes(range(256)) * (size // 256) + b"the end"
    status = f"200 OK {len(body)}" if size > 100_000 else "200 OK"  # of one piece Django gives the length
    assert answer_of(Front(echo, lambda environ: ""), body) == ([status], body)


def test_the_file_of_an_answer_is_closed_though_its_client_leaves_at_once() -> None:
    def application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        start_response("200 OK", [])
        return [b"one", b"two"]

    answer = Front(application, lambda environ: "")(
        {"PATH_INFO": "/", "wsgi.input": BytesIO()}, lambda *_: lambda _: None
    )
    assert isinstance(answer, FileWrapper)
    answer.close()
    with pytest.raises(ValueError, match="closed file"):
        answer.filelike.read()


def test_an_error_of_the_application_reaches_the_server_and_frees_its_place() -> None:
    def application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        raise ZeroDivisionError

    front = Front(application, lambda environ: "")
    for _ in range(REQUESTS + 1):
        with pytest.raises(ZeroDivisionError):
            answer_of(front, b"")


@pytest.mark.parametrize(
    ("addresses", "answered"),
    [([*map(str, range(REQUESTS + 3))], REQUESTS), (["a"], REQUESTS // 2), (["a", "b"], 38)],
    ids=["of all", "of one address", "of two addresses"],
)
def test_too_many_requests_are_refused_at_once_but_for_probes(addresses: list[str], answered: int) -> None:
    go_on = Event()

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        if environ["PATH_INFO"] == "/":
            go_on.wait()
        start_response("200 OK", [])
        return [b"answered"]

    front, more = Front(application, address_in), 3
    with ThreadPoolExecutor(answered + more + 1) as clients:
        senders = islice(cycle(addresses), answered + more)
        answers = [clients.submit(answer_of, front, b"", address=address) for address in senders]
        try:
            first = list(islice(as_completed(answers), more))
            assert all(answer.result()[0][0].startswith("503 ") for answer in first)
            assert answer_of(front, b"", "/healthz") == (["200 OK"], b"answered")
            if answered < REQUESTS:  # few addresses leave places, which take their turn
                answers.append(clients.submit(answer_of, front, b"", "/another", address="c"))
        finally:
            go_on.set()
        assert [answer.result()[0] for answer in answers].count(["200 OK"]) == answered + (answered < REQUESTS)


def test_long_answers_have_places_until_they_are_sent() -> None:
    """One address has half of them, and what a proxy takes needs none."""
    front = Front(echo, address_in)
    with ExitStack() as clients:

        def begun(address: str, length: int) -> Any:
            environ = {"PATH_INFO": "/", "REMOTE_ADDR": address, "wsgi.input": BytesIO(bytes(length))}
            answer: Any = front(environ, lambda *_: lambda _: None)
            return clients.enter_context(closing(answer)) if isinstance(answer, FileWrapper) else None

        sent = [begun("many", SENDING_BYTES + 1) for _ in range(SENDING // 4)]
        more = [begun(*each) for each in (("many", PROXY_BYTES), ("other", PROXY_BYTES + 1), ("many", PROXY_BYTES + 1))]
        assert [*map(bool, [*sent, *more])] == [True] * (len(sent) + 2) + [False]
        sent[0].close()
        assert begun("many", PROXY_BYTES + 1)


def address_in(environ: WSGIEnvironment) -> str:
    return str(environ["REMOTE_ADDR"])


def test_an_address_leaves_a_thread_to_others() -> None:
    begun, end = SimpleQueue[str](), Event()

    def application(environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        begun.put(environ["REMOTE_ADDR"])
        end.wait()
        start_response("200 OK", [])
        return []

    front = Front(application, address_in)
    with ThreadPoolExecutor(2 * WORKERS) as clients:
        try:
            for _ in range(2 * WORKERS - 1):
                clients.submit(answer_of, front, b"", address="many")
            assert [begun.get(timeout=60) for _ in range(WORKERS_OF_ONE)] == ["many"] * WORKERS_OF_ONE
            clients.submit(answer_of, front, b"", address="other")
            assert begun.get(timeout=60) == "other"
        finally:
            end.set()


def waiting_more_than(places: Places, number: int) -> bool:
    return sum(map(len, places.waiting.values())) > number


def test_addresses_take_turns() -> None:
    places, begun = Places(1, 1), list[str]()

    def hold(address: str) -> None:
        with places.held(address, None):
            begun.append(address)

    with ThreadPoolExecutor(4) as clients, places.held("first"):
        for address in ["many", "many", "many", "other"]:
            before = sum(map(len, places.waiting.values()))
            clients.submit(hold, address)
            wait_until(partial(waiting_more_than, places, before))
        with pytest.raises(Refused), places.held("late"):
            pass
    assert begun == ["many", "other", "many", "many"]


RETURNED = """
from benchdb.embedded import web_memory

def small(number):
    return [bytes(1000) for _ in range(number)]

web_memory.return_memory()
before = web_memory.resident()
every = small(200_000)
kept = every[::200]
del every
freed = web_memory.resident() - before
web_memory.return_memory()
print("much was kept" if freed > 150e6 else freed)
left = web_memory.resident() - before
print("little is left" if left < freed / 3 else left)
"""


def test_memory_between_what_is_kept_is_returned() -> None:
    """Each of a thousand small objects at the end of a page of freed ones keeps glibc from returning the rest."""
    done = subprocess.run([sys.executable, "-c", RETURNED], capture_output=True, text=True, timeout=60)

    assert (done.stdout.splitlines(), done.stderr) == (["much was kept", "little is left"], "")
