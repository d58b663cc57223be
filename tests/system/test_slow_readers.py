"""Clients that ask for a large answer and do not read it keep nobody waiting, without a proxy in front."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

from benchdb.embedded.web_front import WORKERS
from tests.load.sizes import LINE
from tests.support.documents import artifact, document
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
