"""`status`: waiting and refused documents with the reasons, and the number of sent ones."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from benchagent.cli import main
from benchagent.documents.ids import uuid7
from benchagent.spool.store import ATTEMPT, PENDING, REJECTED, SENT, Spool
from tests.agents.support.server import Say, serving
from tests.support.documents import document
from tests.texts import missing_in

FAULTS = {"error": {"code": "faulty", "message": "Not stored: /results/0/unit is KB.", "faults": []}}


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spool:
    monkeypatch.setenv("BENCHAGENT_SPOOL", str(tmp_path / "spool"))
    monkeypatch.setenv("BENCHAGENT_TOKEN", "secret")
    return Spool(tmp_path / "spool")


def add(spool: Spool, **sections: Any) -> str:
    run_id = uuid7()
    spool.add(run_id, document(run_id=run_id, **sections))
    return run_id


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["status", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("\n".join(lines(capsys, "--json")))
    return found


def test_what_waits_was_refused_or_sent(spool: Spool, capsys: pytest.CaptureFixture[str]) -> None:
    waiting = add(spool, campaign={"id": uuid7(), "point": "ext4/iozone"})
    hours_ago = time.time() - 2 * 3600
    os.utime(spool.path(PENDING, waiting), (hours_ago, hours_ago))
    refused, sent = add(spool), add(spool)
    spool.settle(refused, REJECTED, {"status": 422, "body": FAULTS})
    spool.settle(sent, SENT, {"status": 201, "body": {"url": "/runs/1"}})

    shown = lines(capsys)

    assert shown[0] == f"Spool {spool.directory}"
    assert [line.split(" (")[0] for line in shown if line[0].isdigit()] == [
        "1 to be sent",
        "1 sent",
        "1 refused by the server",
    ]
    [waits] = [line for line in shown if waiting in line]
    assert not missing_in(waits, "ext4/iozone", "2 h 0 m old", "KiB")
    assert any(refused in line and "/results/0/unit is KB" in line for line in shown)
    assert not any(sent in line for line in shown)
    assert any(sent in line and "/runs/1" in line for line in lines(capsys, "--all"))


def test_the_list_for_programs(spool: Spool, capsys: pytest.CaptureFixture[str]) -> None:
    waiting, sent = add(spool), add(spool)
    spool.settle(sent, SENT, {"status": 201, "body": {"url": "/runs/1"}})
    minute_ago = time.time() - 60
    os.utime(spool.path(PENDING, waiting), (minute_ago, minute_ago))
    status = told(capsys)
    assert (status["schema"], status["spool"]) == ("benchagent.status/1", str(spool.directory))
    assert (status["counts"], status["last_attempt"]) == ({"pending": 1, "sent": 1, "rejected": 0}, None)
    runs = {entry["run_id"]: entry for entry in status["runs"]}
    assert (runs[waiting]["state"], runs[waiting]["answer"], runs[waiting]["error"]) == ("pending", None, None)
    assert runs[waiting]["bytes"] == len(spool.read(PENDING, waiting))
    assert 60 <= runs[waiting]["age_seconds"] < 660
    assert runs[sent]["answer"] == {"status": 201, "body": {"url": "/runs/1"}}


def test_why_the_last_attempt_ended(spool: Spool, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = sorted([add(spool), add(spool)])
    with serving(Say(401, {"error": {"message": "unknown token"}})) as server:
        assert main(["upload", "--server", server.url]) == 8
    why = f"{server.url} does not know the token (answered 401: unknown token)."
    capsys.readouterr()
    status = told(capsys)
    assert status["last_attempt"]["why"] == why
    assert {entry["run_id"]: entry["error"] for entry in status["runs"]} == {first: why, second: None}
    assert lines(capsys)[-1].startswith("The last attempt, ")
    assert lines(capsys)[-1].endswith(f" ago: {why}")

    with serving(Say(201, {})) as server:
        assert main(["upload", "--server", server.url]) == 0
    capsys.readouterr()
    assert told(capsys)["last_attempt"] is None


def test_what_a_server_sent_in_place_of_an_answer_does_not_move_the_cursor(
    spool: Spool, capsys: pytest.CaptureFixture[str]
) -> None:
    add(spool)
    spool.note_attempt({"at": "2026-11-26T07:24:00+00:00", "why": "http://x broke off: \x1b[2J"})
    assert lines(capsys)[-1].endswith("broke off: ?[2J")


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"at": "yesterday", "why": null}'])
def test_a_note_that_somebody_else_wrote(spool: Spool, capsys: pytest.CaptureFixture[str], note: str) -> None:
    add(spool)
    (spool.directory / ATTEMPT).write_text(note)
    assert len(lines(capsys)) >= 4


@pytest.mark.parametrize("data", [b"", b"[1]", b"{}", b'{"workload": 7}', b"\xff"])
def test_a_damaged_document_is_listed(spool: Spool, capsys: pytest.CaptureFixture[str], data: bytes) -> None:
    run_id = uuid7()
    spool.path(PENDING, run_id).write_bytes(data)
    assert any(run_id in line and "damaged" in line for line in lines(capsys))
    [found] = told(capsys)["runs"]
    assert (found["tool"], found["bytes"]) == (None, len(data))
