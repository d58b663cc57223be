"""The server's answer, its acceptance of the token, and its clock, over a real connection."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

import pytest

from benchagent.diagnosis import DiagnosisFinding, FindingState
from benchagent.diagnosis.server import server
from benchagent.server.client import Client

TOKEN = {"name": "agent", "scopes": ["upload"], "expires_at": None}
HANG_UP = b""


def say(status: int, body: Any = None, **headers: str) -> bytes:
    """The bytes of a complete answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.0 {status} X", f"Content-Length: {len(data)}", *(f"{name}: {headers[name]}" for name in headers)]
    return "\r\n".join([*lines, "", ""]).encode() + data


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers one request; yields its address and the received bytes."""
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                received.append(connection.recv(65536))
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", received
        thread.join()


def ask(answer: bytes) -> dict[str, DiagnosisFinding]:
    with answering(answer) as (url, received):
        found = {finding.what: finding for finding in server(Client(url, "secret"))}
    assert received[0].startswith(b"GET /api/v1/token HTTP/1.1\r\n")
    assert b"Authorization: Bearer secret\r\n" in received[0]
    return found


def at(**offset: float) -> dict[str, str]:
    """The Date header of a server whose clock differs by this much."""
    return {"Date": format_datetime(datetime.now(timezone.utc) + timedelta(**offset), usegmt=True)}


def test_a_server_that_takes_the_token() -> None:
    found = ask(say(200, TOKEN, **at()))
    assert found["server"].state is FindingState.OK
    assert found["server"].detail.endswith(" takes the token (upload)")
    assert (found["clock"].state, found["clock"].detail) == (FindingState.OK, "the same as the server's")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (say(401, {"error": {}}), "does not know the token; make one at http://127.0.0.1:"),
        (say(404), "answered 404; is this the address of a BenchDB server?"),
        (say(200, {"hello": "world"}), "answered something else"),
        (say(200, b"<html>"), "answered something else"),
        (say(200, []), "answered something else"),
        (say(200, {**TOKEN, "scopes": ["\x1b[2J"]}), "answered something else"),
        (say(200, {**TOKEN, "scopes": [1]}), "answered something else"),
        (say(200, {**TOKEN, "scopes": ["read"]}), "lets this token do only: read; make another one"),
        (HANG_UP, "broke off"),
    ],
)
def test_what_is_wrong_is_said(said: bytes, words: str) -> None:
    found = ask(said)
    assert found["server"].state is FindingState.MISSING
    assert words in found["server"].detail


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("http://bench.example.org", True),
        ("https://bench.example.org", False),
        ("http://127.0.0.1:8000", False),
        ("http://[::1]:8000", False),
        ("http://localhost", False),
    ],
)
def test_a_token_that_others_can_read_on_its_way_is_known(address: str, plain: bool) -> None:
    assert Client(address, "secret").in_plain is plain


def test_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    found = {finding.what: finding for finding in server(Client(f"http://127.0.0.1:{port}", "secret"))}
    assert "cannot be reached: Connection refused" in found["server"].detail
    assert set(found) == {"server", "clock"}


@pytest.mark.parametrize(
    ("offset", "words"),
    [({"hours": 1}, "behind the server's; synchronize it"), ({"hours": -1}, "ahead of the server's")],
)
def test_a_clock_that_is_wrong_is_measured(offset: dict[str, float], words: str) -> None:
    clock = ask(say(200, TOKEN, **at(**offset)))["clock"]
    assert clock.state is FindingState.MISSING
    assert words in clock.detail
    assert 3590 <= int(clock.detail.split()[0]) <= 3610
    assert clock.packages["debian"] == ("chrony",)


def test_without_a_server_the_kernel_is_asked_about_the_clock() -> None:
    [found] = server(None)
    assert found.what == "clock"
    assert found.detail in ("unknown on this system", "nothing synchronizes it", "synchronized")
