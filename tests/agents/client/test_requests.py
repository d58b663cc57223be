"""The client's requests through answers of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from benchagent.cli import main
from benchagent.client import RequestRefused, Server, ServerSilent
from benchagent.client.gate import GateTest
from benchagent.errors import UsageError
from tests.agents.support.server import HangUp, Say, serving
from tests.texts import HOSTILE, obeyed

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
    sent = [(request.headers["Authorization"], request.path) for request in server.received]
    assert sent == [("Bearer secret", "/api/v1/runs?tool=fio&file_system=ext4&file_system=xfs")]


def test_a_refusal_has_every_fault() -> None:
    with (
        serving(Say(422, {"error": {"message": "These runs cannot be listed.", "faults": FAULTS}})) as server,
        pytest.raises(RequestRefused) as refused,
    ):
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
        (Say(302, headers={"Location": "http://["}), RequestRefused, "302"),
        (Say(200, {**NONE, "next": "é"}), ServerSilent, "broke off"),
        (Say(200, {**NONE, "next": 1}), ServerSilent, "Is a proxy in between"),
        (Say(200, {**NONE, "runs": [{"run_id": 1}]}), ServerSilent, "Is a proxy in between"),
        (Say(422, b"[" * 200_000), RequestRefused, "Is this the address of a BenchDB server"),
        (Say(422, {"error": {"message": "No.", "faults": ["no"]}}), RequestRefused, "Is this the address"),
        (Say(422, {"error": {"message": ["No."], "faults": []}}), RequestRefused, "Is this the address"),
    ],
)
def test_other_answers_are_errors_with_their_reason(answer: Say | HangUp, error: type[Exception], words: str) -> None:
    with serving(answer) as server, pytest.raises(error, match=words):
        list(Server(server.url).runs())


MEASURE = {"label": HOSTILE, "metric": "t", "base_unit": "B/s", "unit": "MiB/s", "higher_is_better": True}
CELL = {
    **dict.fromkeys(("error", "n", "mean", "sd", "low", "high", "median", "verdict")),
    "status": "ok",
    "baseline": False,
    "best": False,
    "warnings": [],
    "cache": {"verdict": "device"},
    "runs": [],
    "values": [1.0],
    "text": {"shown": HOSTILE},
}


def table(cell: Any = None, head: Any = None, **more: Any) -> Say:
    """A table of hostile words with one cell."""
    row = {"label": HOSTILE, "metric": None, "cells": [{**CELL, **(cell or {})}]}
    facts = {
        **dict.fromkeys(("address", "title", "subtitle", "query", "baseline"), HOSTILE),
        "schema": "benchdb.table/3",
        "frozen": False,
        "factor": {"label": "x"},
        "findings": [{"text": HOSTILE}],
        "notes": [HOSTILE],
        "heads": [{**MEASURE, **(head or {})}],
        "groups": [{"label": HOSTILE, "metric": None, "rows": [row]}],
    }
    return Say(200, {**facts, **more})


NO_TABLES = [
    *(Say(200, data) for data in (b"[" * 200_000, b"[]", b"null", b'"x"', b'{"schema": "benchdb.table/3"}')),
    *(table(**{name: value}) for name in ("title", "notes", "groups") for value in (None, 7, "\ud800", ["\ud800"])),
    *(table(cell={"values": [value]}) for value in (float("inf"), float("nan"), 10**400, "a")),
    *(table(cell={"verdict": value}) for value in ({"kind": "unheard"}, {"kind": []}, ["better"], 1)),
    table(head={"metric": None}),
    table(cell={"text": {}}),
]
JUDGED = {"verdict": "none", "rounds_seen": 2, "change": "", "interval": "", "text": ""}
REFUSAL = Say(
    422, {"error": {"message": HOSTILE, "faults": [{"expected": HOSTILE}, {"pointer": "/q", "expected": "x"}]}}
)


@pytest.mark.parametrize("options", [[], ["--json"]], ids=str)
@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        *((answer, ServerSilent.exit_code, "answers, but not as BenchDB does") for answer in NO_TABLES),
        (table(unknown=[[]] * 2_500_000), ServerSilent.exit_code, "more than 5,000,000 values"),
        (table(), 0, "::error::y"),
        (table(schema=HOSTILE), UsageError.exit_code, "is not a table"),
        (REFUSAL, RequestRefused.exit_code, "::error::y"),
    ],
)
def test_a_table_is_printed_or_refused(
    capsys: pytest.CaptureFixture[str], answer: Say, code: int, words: str, options: list[str]
) -> None:
    with serving(answer) as server:
        assert main(["compare", "01a22999-b5d3-7000-8000-0000c852fac0", "--server", server.url, *options]) == code
    told = "".join(capsys.readouterr())
    assert (words in told, obeyed(told)) == (True, [])


@pytest.mark.parametrize("verdicts", [[], [{}], [{**JUDGED, "verdict": "unheard"}], [JUDGED, JUDGED], None])
def test_a_gate_needs_a_verdict_for_each_test(verdicts: Any) -> None:
    with serving(Say(200, {"least_rounds": 2, "verdicts": verdicts})) as server, pytest.raises(ServerSilent):
        Server(server.url).judge([GateTest("", "", "rate", [1.0], [1.0])], [2], 1, 0.05)


def test_a_list_without_an_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchagent.client.server.MOST_PAGES", 3)
    with serving(*[Say(200, {**NONE, "next": "page=2"})] * 9) as server, pytest.raises(ServerSilent, match="3 pages"):
        list(Server(server.url).runs())
    assert len(server.received) == 3


def test_the_token_goes_to_no_other_server() -> None:
    with serving(Say(200, NONE)) as server, pytest.raises(RequestRefused, match="another server"):
        Server(server.url, "secret").table("https://bench.example.org/c/k3v7qhd2mzo5wx4a/")
    assert server.received == []


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="not a server's address"):
        Server("bench.example.org")
