"""Clients that do not read a large answer, or send large documents slowly, without a proxy in front."""

import gzip
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from threading import Barrier
from urllib.parse import urlsplit

from benchdb.embedded.web_front import WORKERS
from tests.load.sizes import LINE
from tests.support.documents import artifact, document, encoded
from tests.system.server import PATIENCE, Server

PROCESSES = 2
CLIENTS = PROCESSES * WORKERS
RECEIVED_BYTES = 64 * 1024  # by the kernel of a client that does not read
BUFFERED_BYTES = 8 << 20  # at most, by the kernel of the server for one connection


@contextmanager
def begun(server: Server, path: str) -> Iterator[HTTPResponse]:
    """An answer of which the client has read only the head."""
    place = urlsplit(server.url)
    connection = HTTPConnection(place.hostname or "", place.port)
    connection.sock = socket.socket()
    with closing(connection):
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_BYTES)
        connection.sock.settimeout(PATIENCE)
        connection.sock.connect((place.hostname, place.port))
        connection.request("GET", f"/{path}")
        yield connection.getresponse()


def test_pages_are_answered_while_clients_do_not_read_large_answers(idle: Server, idle_secret: str) -> None:
    raw = LINE * (3 * BUFFERED_BYTES // len(LINE))
    sent = document(artifacts=[artifact("iozone.txt", raw)], visibility="public")
    idle.upload(sent, idle_secret)
    with ExitStack() as clients:
        path = f"api/v1/runs/{sent['run_id']}/artifacts/iozone.txt"
        answers = [clients.enter_context(begun(idle, path)) for _ in range(CLIENTS)]
        assert {(answer.status, answer.headers["Content-Length"]) for answer in answers} == {(200, str(len(raw)))}

        assert idle.request("runs/")[0] == 200

        assert answers[0].read() == raw.encode(), "no page had to wait until a client was left"


UPLOADS = 40
RAW = "".join(f"{number:>12}" for number in range(400_000))  # with it, a document takes turns with other large requests


def in_two_parts(body: bytes, everybody: Barrier) -> Iterator[bytes]:
    """All but the end, and the end as soon as all clients have sent as much."""
    yield body[:-1]
    everybody.wait(PATIENCE)
    yield body[-1:]


def test_large_documents_that_arrive_at_once_are_all_stored(server: Server, secret: str) -> None:
    place, everybody = urlsplit(server.url), Barrier(UPLOADS)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def answer_to(number: int) -> int:
        sent = document(artifacts=[artifact("iozone.txt", RAW)])
        body = gzip.compress(encoded(sent)) if number % 2 else encoded(sent)
        own = {"Content-Length": str(len(body))} | ({"Content-Encoding": "gzip"} if number % 2 else {})
        ours = (f"127.0.0.{2 + number % 4}", 0)  # of four machines: none has all places
        with closing(HTTPConnection(place.hostname or "", place.port, PATIENCE, ours)) as connection:
            parts = in_two_parts(body, everybody)
            connection.request("PUT", f"/api/v1/runs/{sent['run_id']}", parts, headers | own)
            return connection.getresponse().status

    with ThreadPoolExecutor(UPLOADS) as clients:
        assert Counter(clients.map(answer_to, range(UPLOADS))) == {201: UPLOADS}
