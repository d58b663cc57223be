"""Sending documents through a network that fails in every way it can."""

from __future__ import annotations

import json
import socket
import time

import pytest

from benchagent.documents.ids import uuid7
from benchagent.errors import UsageError
from benchagent.server.client import Client, NotNow, Patience, ServerAnswer
from tests.agents.support.server import CutOff, HangUp, Say, Script, Server, serving

QUICK = Patience(attempts=4, first=0.001, longest=0.01)
STORED = {"url": "/runs/x", "state": "received"}
DOCUMENT = json.dumps({"a": list(range(1000))}).encode()


class Waits:
    """The client's messages before each pause."""

    def __init__(self) -> None:
        self.told: list[tuple[str, float]] = []

    def __call__(self, why: str, seconds: float) -> None:
        self.told.append((why, seconds))


def send(server: Server, waits: Waits | None = None) -> ServerAnswer:
    return Client(server.url, "secret", QUICK).send(uuid7(), DOCUMENT, waits or Waits())


def test_sends_the_document_as_it_is() -> None:
    run_id = uuid7()
    with serving(Say(201, STORED)) as server:
        answer = Client(server.url + "/", "secret", QUICK).send(run_id, DOCUMENT, Waits())
    assert (answer.stored, answer.status, answer.body) == (True, 201, {**STORED, "run_id": run_id})
    [request] = server.received
    assert (request.path, request.document) == (f"/api/v1/runs/{run_id}", DOCUMENT)
    assert request.headers["Authorization"] == "Bearer secret"
    assert (request.headers["Content-Type"], request.headers["Content-Encoding"]) == ("application/json", "gzip")


@pytest.mark.parametrize(
    ("accident", "why"),
    [
        (HangUp(), "closed connection"),
        (CutOff(), "broke off"),
        (Say(500), "answered 500"),
        (Say(502, b"<html>bad gateway</html>"), "answered 502"),
        (Say(503, {"error": {"message": "No database."}}), "answered 503: No database."),
        (Say(429), "answered 429"),
        (Say(408), "answered 408"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,  # the same in every process of xdist
)
def test_tries_again_after_an_accident(accident: Script, why: str) -> None:
    waits = Waits()
    with serving(accident, accident, Say(200, STORED)) as server:
        assert send(server, waits).stored
    assert len(server.received) == 3
    assert len(waits.told) == 2
    assert all(why in told for told, _ in waits.told)


def test_gives_up_in_the_end() -> None:
    waits = Waits()
    with serving(Say(503)) as server, pytest.raises(NotNow, match="answered 503"):
        send(server, waits)
    assert len(server.received) == QUICK.attempts
    assert len(waits.told) == QUICK.attempts - 1


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(NotNow, match=r"cannot be reached: .*refused"):
        Client(url, "secret", QUICK).send(uuid7(), DOCUMENT, Waits())


def test_a_name_that_nobody_has() -> None:
    with pytest.raises(NotNow, match="cannot be reached"):
        Client("http://benchdb.invalid", "secret", QUICK).send(uuid7(), DOCUMENT, Waits())


@pytest.mark.parametrize("status", [400, 409, 410, 413, 415, 422])
def test_a_refusal_is_an_answer(status: int) -> None:
    body = {"error": {"code": "x", "message": "no", "faults": []}}
    with serving(Say(status, body)) as server:
        answer = send(server)
    assert (answer.stored, answer.as_dict()) == (False, {"status": status, "body": body})
    assert len(server.received) == 1


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (401, "does not know the token"),
        (403, "does not let this token upload"),
        (404, "Is this the address of a BenchDB server"),
        (405, "Is this the address of a BenchDB server"),
    ],
)
def test_what_only_a_person_can_mend_is_not_tried_again(status: int, why: str) -> None:
    with serving(Say(status)) as server, pytest.raises(NotNow, match=why):
        send(server)
    assert len(server.received) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_gets_no_token(status: int) -> None:
    with serving(Say(201, STORED)) as other, serving(Say(status, {}, {"Location": other.url})) as server:
        with pytest.raises(NotNow, match=f"answered {status} and points to '{other.url}'"):
            send(server)
        assert other.received == []


def test_retry_after_is_the_shortest_pause() -> None:
    waits = Waits()
    started = time.monotonic()
    with serving(Say(429, {}, {"Retry-After": "1"}), Say(201, STORED)) as server:
        assert send(server, waits).stored
    [(_, pause)] = waits.told
    assert 1.0 <= pause <= 1.0 + QUICK.longest
    assert time.monotonic() - started >= 1.0


def test_pauses_grow_and_are_never_the_same() -> None:
    pauses = list(Patience(attempts=200, first=1, longest=8).pauses())
    assert len(pauses) == 199
    assert len(set(pauses)) > 190
    assert max(pauses[:1]) <= 1
    assert 7 < max(pauses) <= 8


def test_loopback_is_never_reached_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:1")
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(Say(201, STORED)) as server:
        assert send(server).stored


@pytest.mark.parametrize(
    "server",
    [
        *(
            "",
            "benchdb.example",
            "ftp://benchdb.example",
            "http://",
            "file:///etc/passwd",
            "http://a..b",
            "http://[::1",
        ),
        *("http://h:99999", "http://h:x", "http://ada:secret@h", "http://h/?a", "http://h/#a", f"http://{'a' * 64}.b"),
    ],
)
def test_refuses_what_is_no_address(server: str) -> None:
    with pytest.raises(UsageError, match="not a server's address"):
        Client(server, "secret")


@pytest.mark.parametrize("token", ["", "two words", "line\nbreak", "tökén"])
def test_refuses_what_is_no_token_without_repeating_it(token: str) -> None:
    with pytest.raises(UsageError) as caught:
        Client("http://127.0.0.1", token)
    assert not token or token not in str(caught.value)
