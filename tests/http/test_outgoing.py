"""Requests of this server to others, by a server of sockets that sends what a test says and then waits."""

import gzip
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

import pytest
import requests

from benchdb.http.outgoing import InnerAddress, post

OK = b"HTTP/1.1 200 OK\r\n"
BOMB = gzip.compress(bytes(10**7))


@contextmanager
def sending(answer: bytes, *, closes: bool = False) -> Iterator[str]:
    """The address of a server that takes one connection and sends these bytes."""

    def serve() -> None:
        taken, _ = listening.accept()
        with taken, suppress(ConnectionError):
            taken.sendall(answer)
            while not closes and taken.recv(1000):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


def status(address: str, *, public_only: bool = False, seconds: float = 5) -> int:
    return post(address, b"{}", {}, public_only=public_only, seconds=seconds)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (OK + b"Content-Length: 3000000\r\n\r\n" + bytes(2_000_000), requests.ConnectionError, "longer than 1 MiB"),
        (
            OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(BOMB) + BOMB,
            requests.ConnectionError,
            "longer than 1 MiB",
        ),
        (OK + b"Content-Length: 3\r\n\r\nab", requests.Timeout, "not complete after 0.3 seconds"),
        (OK + b"A: b", requests.Timeout, "not complete after 0.3 seconds"),
        (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", requests.TooManyRedirects, "302"),
        (b"220 mail.example.org ESMTP\r\n", requests.ConnectionError, "220 mail"),
    ],
)
def test_an_answer_beyond_the_limits_is_an_error(answer: bytes, error: type[Exception], words: str) -> None:
    with sending(answer) as address, pytest.raises(error, match=words):
        status(address, seconds=0.3 if error is requests.Timeout else 5)


@pytest.mark.parametrize("answer", [OK, OK + b"A: b\r\n", OK + b"Content-Le", OK + b"Content-Length: -1\r\n\r\n"])
def test_a_head_that_ends_early_is_no_answer(answer: bytes) -> None:
    with sending(answer, closes=True) as address, pytest.raises(requests.ConnectionError):
        status(address)


def test_a_whole_answer_and_an_address_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with sending(OK + b"Content-Length: 2\r\n\r\nok") as address:
        assert status(address) == 200
    with pytest.raises(InnerAddress, match="is no public address"):
        status("http://localhost:1/", public_only=True)


def test_a_resolver_that_hangs_ends_within_the_deadline_and_keeps_few_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, asked, look_up = Event(), [], socket.getaddrinfo

    def hanging(*sent: Any, **options: Any) -> Any:
        return asked.append(sent) or (answers.wait(20) and look_up(*sent, **options))

    with sending(OK + b"Content-Length: 2\r\n\r\nok") as address, monkeypatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", hanging)
        for _ in range(10):
            with pytest.raises(requests.ConnectionError):
                status("http://localhost:1/", seconds=0.05)
        assert len(asked) == 8
        answers.set()
        assert status(address) == 200


@pytest.mark.parametrize(
    "address",
    [
        "192.88.99.1",
        "192.0.0.8",
        "192.0.0.9",
        "64:ff9b::c000:9",
        "2002:e000:1::1",
        "2002:c058:6301::1",
        "2002:7f00:1::5efe:808:808",
        "2a00:1450:4001:800:0:5efe:e000:1",
        "5f00::1",
        "3fff::1",
        "2a00:1450:4001:800:0:5efe:7f00:1",
        "fec0::1",
        "64:ff9b::a00:1",
        "100:0:0:1::1",
        "4000::1",
    ],
)
def test_addresses_that_lead_inside_are_not_public(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(InnerAddress):
        status(f"http://{host}/", public_only=True)
