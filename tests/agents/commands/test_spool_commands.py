"""`upload`, `show` and `status`: waiting documents, sent ones, and the server's answers."""

import json
from pathlib import Path

import pytest

from benchagent.cli import main
from benchagent.documents.ids import uuid7
from benchagent.spool.store import PENDING, REJECTED, SENT, Spool
from tests.agents.commands.test_status import add
from tests.agents.support.server import Say, serving
from tests.texts import missing_in

STORED = Say(201, {"run_id": "x", "url": "/runs/x", "state": "received"})
FAULTS = {"error": {"code": "faulty", "message": "Not stored: /results/0/unit is KB.", "faults": [{"pointer": "/x"}]}}


@pytest.fixture
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Spool:
    for name in ("BENCHAGENT_SERVER", "BENCHAGENT_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BENCHAGENT_SPOOL", str(tmp_path / "spool"))
    return Spool(tmp_path / "spool")


@pytest.fixture
def token(tmp_path: Path) -> str:
    path = tmp_path / "token"
    path.write_text("secret\n")
    return str(path)


def test_upload_sends_what_waits_and_status_tells(spool: Spool, token: str, capsys: pytest.CaptureFixture[str]) -> None:
    ids = [add(spool), add(spool)]
    with serving(STORED) as server:
        assert main(["upload", "--server", server.url, "--token-file", token]) == 0
        assert main(["upload", "--server", server.url, "--token-file", token]) == 0
    assert sorted(request.path.rsplit("/", 1)[1] for request in server.received) == sorted(ids)
    capsys.readouterr()
    assert main(["status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["schema"] == "benchagent.status/1"
    assert {(entry["run_id"], entry["state"]) for entry in told["runs"]} == {(run_id, SENT) for run_id in ids}
    assert all(entry["answer"]["body"]["url"] == "/runs/x" for entry in told["runs"])


def test_server_and_token_may_come_from_the_environment(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    add(spool)
    with serving(STORED) as server:
        monkeypatch.setenv("BENCHAGENT_SERVER", server.url)
        monkeypatch.setenv("BENCHAGENT_TOKEN", "of the environment".replace(" ", "-"))
        assert main(["upload"]) == 0
    assert server.received[0].headers["Authorization"] == "Bearer of-the-environment"


def test_a_refused_document_lies_beside_its_answer_and_the_others_go_on(
    spool: Spool, token: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = add(spool), add(spool)
    with serving(Say(422, FAULTS), STORED) as server:
        assert main(["upload", "--server", server.url, "--token-file", token]) == 7
    refused = next(run_id for run_id in (first, second) if run_id in server.received[0].path)
    assert spool.ids(REJECTED) == [refused]
    assert len(spool.ids(SENT)) == 1
    assert spool.answer(REJECTED, refused) == {"status": 422, "body": FAULTS}
    err = capsys.readouterr().err
    assert not missing_in(err, "422 Not stored: /results/0/unit is KB.", "refused 1 of 2 documents")


def test_what_the_server_does_not_decide_stays_pending(
    spool: Spool, token: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = {add(spool), add(spool)}
    with serving(Say(401, {"error": {"message": "unknown token"}})) as server:
        assert main(["upload", "--server", server.url, "--token-file", token]) == 8
    assert len(server.received) == 1
    assert set(spool.ids(PENDING)) == ids
    err = capsys.readouterr().err
    assert not missing_in(err, "does not know the token", "Waiting in the spool: 2 documents.")


def test_upload_events_are_for_programs(spool: Spool, token: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_id = add(spool, campaign={"id": uuid7(), "point": "ext4/iozone"})
    with serving(STORED) as server:
        main(["upload", "--json", "--server", server.url, "--token-file", token])
    uploaded = json.loads(capsys.readouterr().out.splitlines()[1])
    del uploaded["at"]
    expected = {"event": "uploaded", "run_id": run_id, "point": "ext4/iozone", "url": "/runs/x", "state": "received"}
    assert uploaded == expected


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["upload"], "There is no server"),
        (["upload", "--server", "http://127.0.0.1:1"], "There is no token"),
        (["upload", "--server", "http://127.0.0.1:1", "--token-file", "/nonexistent"], "Cannot read /nonexistent"),
        (["upload", "--server", "nowhere", "--token-file", "/dev/null"], "is not a server's address"),
    ],
)
def test_upload_wants_a_server_and_a_token(
    spool: Spool, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert says in capsys.readouterr().err


def test_show_prints_what_is_sent_byte_for_byte(spool: Spool, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    ids = sorted([add(spool), add(spool)])
    assert main(["show"]) == 0
    assert capfdbinary.readouterr().out == b"".join(spool.read(PENDING, run_id) + b"\n" for run_id in ids)
    spool.settle(ids[0], SENT, {"status": 201})
    assert main(["show", ids[0]]) == 0
    assert capfdbinary.readouterr().out == spool.read(SENT, ids[0]) + b"\n"


def test_show_does_not_know_it(spool: Spool, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "0000"]) == 6
    assert "'0000' is not the id" in capsys.readouterr().err


def test_a_refused_document_can_be_sent_once_more(spool: Spool, token: str) -> None:
    """The server may have been updated, or the user has deleted the conflicting run."""
    run_id = add(spool)
    with serving(Say(422, FAULTS), STORED) as server:
        arguments = ["upload", "--server", server.url, "--token-file", token]
        assert main(arguments) == 7
        assert main(arguments) == 0
        assert len(server.received) == 1
        assert main([*arguments, "--rejected"]) == 0
    assert (spool.ids(REJECTED), spool.ids(SENT)) == ([], [run_id])
    assert not spool.answer_path(REJECTED, run_id).exists()


def test_something_in_between_refuses_one_and_the_others_go_on(
    spool: Spool, token: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A proxy with a size limit does not refuse the document for good, and the others are sent."""
    add(spool), add(spool)
    with serving(Say(413, b"<h1>413 Request Entity Too Large</h1>"), STORED) as server:
        assert main(["upload", "--server", server.url, "--token-file", token]) == 8
    assert (len(spool.ids(PENDING)), len(spool.ids(SENT)), spool.ids(REJECTED)) == (1, 1, [])
    err = capsys.readouterr().err
    assert not missing_in(
        err,
        "Not decided about",
        "'<h1>413 Request Entity Too Large</h1>'. Is a proxy in between?",
        "Waiting in the spool: 1 document.",
    )


def test_a_document_that_somebody_damaged_is_refused_like_any_other(spool: Spool, token: str) -> None:
    run_id = uuid7()
    spool.path(PENDING, run_id).write_bytes(b"[1")
    with serving(Say(400, FAULTS)) as server:
        assert main(["upload", "--server", server.url, "--token-file", token]) == 7
    assert spool.read(REJECTED, run_id) == b"[1"
