"""Forty clients send large documents slowly, without a proxy in front, and end at the same moment: all are stored."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from threading import Barrier
from urllib.parse import urlsplit

import pytest

from tests.support.documents import artifact, document, encoded
from tests.system.server import PATIENCE, Server

CLIENTS = 40
RAW = "".join(f"{number:>12}" for number in range(400_000))  # with it, a document takes turns with other large requests


def large_document() -> tuple[str, bytes]:
    """The id and the bytes of a new document."""
    sent = document(artifacts=[artifact("iozone.txt", RAW)])
    return sent["run_id"], encoded(sent)


def in_two_parts(body: bytes, everybody: Barrier) -> Iterator[bytes]:
    """All but the end, and the end as soon as all clients have sent as much."""
    yield body[:-1]
    everybody.wait(PATIENCE)
    yield body[-1:]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_large_documents_that_arrive_at_once_are_all_stored(
    server: Server, secret: str, pack: Callable[[bytes], bytes]
) -> None:
    place, everybody = urlsplit(server.url), Barrier(CLIENTS)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    headers |= {"Content-Encoding": "gzip"} if pack is gzip.compress else {}

    def answer_to(number: int) -> tuple[int, str | None]:
        run_id, plain = large_document()
        body = pack(plain)
        with closing(HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)) as connection:
            sizes = {"Content-Length": str(len(body))}
            connection.request("PUT", f"/api/v1/runs/{run_id}", in_two_parts(body, everybody), headers | sizes)
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.headers["Retry-After"]

    with ThreadPoolExecutor(CLIENTS) as clients:
        answers = Counter(clients.map(answer_to, range(CLIENTS)))
    assert answers == {(201, None): CLIENTS}
