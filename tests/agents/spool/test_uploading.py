"""Uploads during other uploads, and while agents measure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchagent.documents.ids import uuid7
from benchagent.errors import ServerUnreachable
from benchagent.progress import Silent
from benchagent.server.client import Client, Patience
from benchagent.spool import uploading
from benchagent.spool.store import PENDING, REJECTED, SENT, Spool
from benchagent.spool.uploading import await_statistics, upload
from tests.agents.support.server import Say, Silence, serving
from tests.support.documents import document

AGENTS = Path(__file__).parents[3] / "agents"
STORED = Say(201, {"url": "/runs/1", "state": "received"})
REFUSED = Say(422, {"error": {"code": "faulty", "message": "no", "faults": []}})


def add(spool: Spool, number: int = 1) -> list[str]:
    ids = [uuid7() for _ in range(number)]
    for run_id in ids:
        spool.add(run_id, document(run_id=run_id))
    return ids


def client(url: str) -> Client:
    return Client(url, "secret", Patience(attempts=1, timeout=0.5))


def test_several_uploads_at_once(spool: Spool) -> None:
    """With uploads by a timer and a user, at least one sends each document, and none fails."""
    ids = add(spool, 20)
    environment = {**os.environ, "PYTHONPATH": str(AGENTS), "BENCHAGENT_TOKEN": "secret"}
    with serving(STORED) as server:
        command = [
            sys.executable,
            "-m",
            "benchagent",
            "upload",
            "--server",
            server.url,
            "--spool",
            str(spool.directory),
        ]
        uploads = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(4)]
        ends = [(process.communicate()[1], process.returncode) for process in uploads]
    assert [code for _, code in ends] == [0] * 4, ends
    assert sorted(spool.ids(SENT)) == sorted(ids)
    assert spool.ids(PENDING) == []
    assert {request.path.rsplit("/", 1)[1] for request in server.received} == set(ids)
    assert len(os.listdir(spool.directory / SENT)) == 40


def test_what_another_upload_has_settled_is_left_out(spool: Spool) -> None:
    first, second = add(spool, 2)
    spool.settle(first, SENT, {"status": 201, "body": {}})
    with serving(STORED) as server:
        upload(spool, client(server.url), [first, second], Silent())
    assert len(server.received) == 1


def test_one_that_is_stored_meanwhile_is_not_rejected_too(spool: Spool) -> None:
    """The other upload stored the document, the run was deleted, and only then this upload's answer arrives."""
    [run_id] = add(spool)

    class Meanwhile(Silent):
        def event(self, kind: str, **facts: object) -> None:
            spool.settle(run_id, SENT, {"status": 201, "body": {}})

    with serving(Say(503), REFUSED) as server:
        patient = Client(server.url, "secret", Patience(attempts=2, first=0.001))
        upload(spool, patient, [run_id], Meanwhile())
    assert spool.ids(SENT) == [run_id]
    assert os.listdir(spool.directory / REJECTED) == []


def test_a_server_that_hangs_stops_the_upload_and_is_remembered(spool: Spool) -> None:
    ids = add(spool, 3)
    with serving(Silence()) as server, pytest.raises(ServerUnreachable, match="Waiting in the spool: 3 documents"):
        upload(spool, client(server.url), ids, Silent())
    assert spool.last_attempt()["run_id"] == ids[0]
    assert "did not answer within 0.5 s" in spool.last_attempt()["why"]


def test_a_quota_stops_the_upload_without_further_attempts_and_keeps_everything(spool: Spool) -> None:
    ids = add(spool, 2)
    message = "Nothing was stored. The quota of this account for runs is 1; 1 are used, and this would add 1."
    full = Say(507, {"error": {"code": "quota_exceeded", "message": message, "faults": []}})
    with serving(full) as server, pytest.raises(ServerUnreachable) as caught:
        upload(spool, Client(server.url, "secret", Patience(attempts=3, first=0.001)), ids, Silent())
    assert len(server.received) == 1
    assert sorted(spool.ids(PENDING)) == sorted(ids)
    for words in (message, "Nothing is lost.", "Waiting in the spool: 2 documents", "`benchagent upload`"):
        assert words in str(caught.value)


class Told(Silent):
    """Keeps the events."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, object]]] = []

    def event(self, kind: str, **facts: object) -> None:
        self.events.append((kind, facts))


def test_statistics_are_awaited_run_by_run(spool: Spool) -> None:
    first, second = add(spool, 2)
    told = Told()
    with serving(STORED) as server:
        server.states = ["received", "computing", "ready", "computing", "failed"]
        unfinished = upload(spool, client(server.url), [first, second], Silent())
        assert unfinished == [first, second]
        await_statistics(client(server.url), unfinished, told)
    assert told.events == [
        ("computing", {"points": 2}),
        ("ready", {"run_id": first, "state": "ready"}),
        ("ready", {"run_id": second, "state": "failed"}),
        ("computed", {"points": 2}),
    ]


def test_runs_that_are_ready_are_not_awaited(spool: Spool) -> None:
    told, uploaded = Told(), Told()
    with serving(Say(200, {"url": "/runs/1", "state": "ready", "machine": "other"})) as server:
        unfinished = upload(spool, client(server.url), add(spool, 2), uploaded)
        await_statistics(client(server.url), unfinished, told)
    assert (unfinished, told.events) == ([], [])
    # That the machine keeps another name is said once.
    assert [kind for kind, _ in uploaded.events] == ["uploaded", "not_renamed", "uploaded"]
    assert uploaded.events[1][1] == {"machine": document()["machine"]["name"], "kept": "other"}


def test_a_server_that_goes_away_or_takes_long_is_told_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    gone, slow = Told(), Told()
    with serving(STORED) as server:
        server.states = ["computing"]
        monkeypatch.setattr(uploading, "PATIENCE", 0.0)
        await_statistics(client(server.url), ["one", "two"], slow)
    await_statistics(client(server.url), ["one"], gone)
    for told, runs in ((slow, 2), (gone, 1)):
        [(_, _), (kind, facts)] = told.events
        assert (kind, facts["points"]) == ("not_awaited", runs)
    assert str(slow.events[1][1]["why"]).endswith(" still computes")
