"""The client's requests through answers of every kind."""

from __future__ import annotations

import pytest

from benchagent.client import RequestRefused, Server, ServerSilent
from benchagent.errors import UsageError
from tests.agents.support.server import HangUp, Say, serving

NONE = {"runs": [], "next": None, "total": 0}
FAULTS = [
    {"pointer": "", "value": None, "expected": "There is no filter colour."},
    {"pointer": "/q", "value": 1, "expected": "a text"},
]


def test_a_busy_server_is_asked_again() -> None:
    busy = Say(503, headers={"Retry-After": "1"})
    with serving(busy, Say(202, headers={"Retry-After": "1"}), Say(200, NONE)) as server:
        assert list(Server(server.url).runs()) == []
    assert [request.path for request in server.received] == ["/api/v1/runs?"] * 3


def test_the_token_is_sent_with_each_request() -> None:
    with serving(Say(200, NONE)) as server:
        list(Server(server.url, "secret").runs(tool="fio", kernel=None, file_system=["ext4", "xfs"]))
    [request] = server.received
    assert request.headers["Authorization"] == "Bearer secret"
    assert request.path == "/api/v1/runs?tool=fio&file_system=ext4&file_system=xfs"


def test_a_refusal_has_every_fault() -> None:
    error = {"error": {"code": "impossible_selection", "message": "These runs cannot be listed.", "faults": FAULTS}}
    with serving(Say(422, error)) as server, pytest.raises(RequestRefused) as refused:
        list(Server(server.url).runs())
    assert (refused.value.status, refused.value.faults) == (422, ["There is no filter colour.", "/q: expected a text"])
    assert "422: These runs cannot be listed.\n  There is no filter colour." in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (HangUp(), ServerSilent, "broke off|closed connection"),
        (Say(200, b"<html>sign in</html>"), ServerSilent, "Is a proxy in between"),
        (Say(404, b"<html>nothing</html>"), RequestRefused, "Is this the address of a BenchDB server"),
        (Say(302, headers={"Location": "http://127.0.0.1:1/"}), RequestRefused, "302"),
    ],
)
def test_other_answers_are_errors_with_their_reason(answer: Say | HangUp, error: type[Exception], words: str) -> None:
    with serving(answer) as server, pytest.raises(error, match=words):
        list(Server(server.url).runs())


def test_the_token_goes_to_no_other_server() -> None:
    with serving(Say(200, NONE)) as server, pytest.raises(RequestRefused, match="another server"):
        Server(server.url, "secret").table("https://bench.example.org/c/k3v7qhd2mzo5wx4a/")
    assert server.received == []


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="not a server's address"):
        Server("bench.example.org")
