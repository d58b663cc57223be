"""A source is followed: its runs are stored once and as they are there, and leave as they left there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.federation import reading
from benchdb.federation.models import RefusedRun, Source
from benchdb.federation.reading import read_source
from benchdb.quotas.models import OwnQuota, Quota
from benchdb.runs.changes import number_changes
from benchdb.runs.models import Run, RunState, Tombstone, Visibility
from benchdb.runs.services import delete_run, limit_visibility, withdraw
from tests.federation.conftest import Given, OtherServer
from tests.signatures.signing import make_key, signed
from tests.support.documents import document, encoded
from tests.support.html import read
from tests.support.store import make_token, make_user, store_run, stored_rows


def state_of(run_id: UUID) -> RunState:
    return RunState.objects.get(pk=run_id)


def refusals() -> dict[UUID, str]:
    return dict(RefusedRun.objects.values_list("run_id", "reason"))


def test_runs_are_stored_once_with_their_labels(source: Source, other: OtherServer) -> None:
    runs = [other.add(labels={"disk": "a"}) for _ in range(4)]

    assert read_source(source) == 4
    assert read_source(source) == 0

    assert set(Run.objects.values_list("pk", flat=True)) == set(runs)
    state = state_of(runs[0])
    assert (state.labels, state.visibility, state.read_from) == ({"disk": "a"}, "public", "lab")
    assert state.origin == f"{other.address}/runs/{runs[0]}/"
    assert len(stored_rows(runs[0], 1)) == 3
    source.refresh_from_db()
    assert (source.after, source.error, refusals()) == (4, "", {})
    assert source.read_at is not None


def test_a_page_that_is_read_twice_changes_nothing(source: Source, other: OtherServer) -> None:
    run_id = other.add()
    read_source(source)
    number_changes()
    before = list(RunState.objects.values())
    asked = len(other.asked)

    Source.objects.update(after=0)
    assert read_source(source) == 1

    assert list(RunState.objects.values()) == before
    assert f"/api/v1/runs/{run_id}/document" not in other.asked[asked:]
    assert number_changes() == 0


def test_labels_withdrawals_and_deletions_are_followed(source: Source, other: OtherServer) -> None:
    run_id = other.add()
    read_source(source)

    other.change(run_id, labels={"disk": "new"})
    read_source(source)
    assert state_of(run_id).labels == {"disk": "new"}

    other.leave(run_id, "withdrawn", "the disk was failing")
    read_source(source)
    state = state_of(run_id)
    assert (state.withdrawn_reason, state.visibility) == ("the disk was failing", "public")

    other.leave(run_id, "hidden")
    read_source(source)
    assert state_of(run_id).visibility == "private"

    other.change(run_id)
    read_source(source)
    state = state_of(run_id)
    assert (state.withdrawn_at, state.visibility, state.labels) == (None, "public", {})

    other.leave(run_id, "deleted")
    read_source(source)
    assert not Run.objects.exists()
    assert Tombstone.objects.get().pk == run_id


def test_decisions_of_maintainers_here_hold(source: Source, other: OtherServer) -> None:
    hidden, withdrawn, deleted = (other.add() for _ in range(3))
    read_source(source)
    limit_visibility([hidden], Visibility.UNLISTED)
    withdraw(Run.objects.get(pk=withdrawn), "spam", by_staff=True)
    delete_run(Run.objects.get(pk=deleted))

    for run_id in (hidden, withdrawn, deleted):
        other.change(run_id, labels={"new": "yes"})
    read_source(source)

    assert (state_of(hidden).visibility, state_of(hidden).labels) == ("unlisted", {"new": "yes"})
    assert state_of(withdrawn).withdrawn_reason == "spam"
    assert refusals() == {deleted: "This run was deleted here."}


def test_a_run_of_this_server_is_never_overwritten(source: Source, other: OtherServer) -> None:
    local = store_run(make_user("eve"), labels={"plan": "mine"})
    other.add(document(run_id=str(local.pk), visibility="public", labels={"plan": "forged"}))
    read_source(source)
    assert "stored here already" in refusals()[local.pk]

    other.leave(local.pk, "deleted")
    read_source(source)

    assert (state_of(local.pk).labels, state_of(local.pk).read_from) == ({"plan": "mine"}, None)
    assert refusals() == {}


def test_a_run_that_comes_back_in_a_circle_is_passed_over(source: Source, other: OtherServer) -> None:
    local = store_run(make_user("eve"))
    other.add(document(run_id=str(local.pk)), origin=f"http://testserver/runs/{local.pk}/")
    read_source(source)
    assert refusals() == {}
    assert RunState.objects.get().read_from is None


@pytest.mark.parametrize("origin", ["https://first.example.org/runs/1/", "javascript:alert(1)", "https://[", None])
def test_the_first_server_is_the_origin_if_its_address_can_be_one(
    source: Source, other: OtherServer, origin: str | None
) -> None:
    run_id = other.add(origin=origin)
    read_source(source)
    first = "https://first.example.org/runs/1/"
    assert state_of(run_id).origin == (first if origin == first else f"{other.address}/runs/{run_id}/")


def test_a_faulty_document_is_refused_and_the_rest_is_stored(source: Source, other: OtherServer) -> None:
    faulty = other.add(document(results=[{"test": "write"}]))
    broken = other.add()
    other.documents[str(broken)] = b"{"
    good = other.add()

    assert read_source(source) == 3

    assert list(Run.objects.values_list("pk", flat=True)) == [good]
    assert set(refusals()) == {faulty, broken}
    assert "/results/0/metric: expected" in refusals()[faulty]

    other.add(document(run_id=str(faulty)))
    read_source(source)
    assert set(refusals()) == {broken}


@pytest.mark.needs("ssh-keygen", package="openssh-client")
def test_signatures_are_checked_and_kept(source: Source, other: OtherServer, tmp_path: Path) -> None:
    key = make_key(tmp_path)
    for is_good in (True, False):
        sent = document(visibility="private", labels={"of": "signing"})
        other.add(sent, labels={"of": "now"})
        headers = {"BenchDB-Signature": signed(key, encoded(sent if is_good else document()))}
        other.given[f"/api/v1/runs/{sent['run_id']}/document"] = Given(encoded(sent), headers=headers)

    read_source(source)

    run = Run.objects.get()
    assert (run.runstate.labels, run.runstate.visibility) == ({"of": "now"}, "public")
    assert run.signature.fingerprint.startswith("SHA256:")
    assert "signature is refused" in next(iter(refusals().values()))


FAILURES = {
    "a redirect": Given(status=302, headers={"Location": "http://127.0.0.1:1/"}),
    "an error": Given(b"{}", 500),
    "busy": Given(b"{}", 503),
    "no JSON": Given(b"<html>"),
    "another JSON": Given(b'{"changes": 3, "greatest": 1}'),
    "a NUL": Given(
        b'{"changes": [{"run_id": "01a1face-1892-7000-8000-000000000001", "change": 1, "left": "withdrawn",'
        b' "reason": "\\u0000"}], "greatest": 1}'
    ),
    "broken gzip": Given(b"no gzip", headers={"Content-Encoding": "gzip"}),
    "cut short": Given(b'{"changes": [], "greatest": 0}', headers={"Content-Length": "1000"}),
    "a bomb": Given(gzip.compress(bytes(2**25)), headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_source_with_a_faulty_list_of_changes_is_read_later(source: Source, other: OtherServer, name: str) -> None:
    other.given["/api/v1/changes?after=0"] = FAILURES[name]
    assert read_source(source) == 0
    source.refresh_from_db()
    assert source.error
    assert source.read_at is None

    other.given.clear()
    run_id = other.add()
    assert read_source(source) == 1
    source.refresh_from_db()
    assert (source.error, Run.objects.get().pk) == ("", run_id)


def test_a_document_that_does_not_arrive_stops_the_reading_there(source: Source, other: OtherServer) -> None:
    first, second = other.add(), other.add()
    other.given[f"/api/v1/runs/{second}/document"] = Given(b"{}", 503)
    read_source(source)
    source.refresh_from_db()
    assert (source.after, list(Run.objects.values_list("pk", flat=True))) == (1, [first])
    assert "busy" in source.error


def test_a_document_that_inflates_to_too_much_is_refused(source: Source, other: OtherServer, settings: Any) -> None:
    settings.UPLOAD_MAX_INFLATED_BYTES = 2**20
    run_id = other.add()
    bomb = Given(gzip.compress(bytes(2**22)), headers={"Content-Encoding": "gzip"})
    other.given[f"/api/v1/runs/{run_id}/document"] = bomb
    assert read_source(source) == 1
    assert "larger than" in refusals()[run_id]


def test_numbers_that_do_not_rise_end_the_reading(source: Source, other: OtherServer) -> None:
    other.add()
    other.changes *= 2
    read_source(source)
    source.refresh_from_db()
    assert "do not rise" in source.error


def test_a_source_that_was_restored_is_read_from_its_beginning(source: Source, other: OtherServer) -> None:
    Source.objects.update(after=100)
    run_id = other.add()
    read_source(source)
    source.refresh_from_db()
    assert (source.after, Run.objects.get().pk) == (1, run_id)


def test_a_source_whose_greatest_number_is_a_lie_ends(
    source: Source, other: OtherServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "READ_SECONDS", 0.2)
    other.add()
    other.greatest = 0
    assert read_source(source) >= 1


def test_a_full_quota_of_the_owner_stops_the_reading(source: Source, other: OtherServer, owner: User) -> None:
    OwnQuota.objects.create(owner=owner, quota=Quota.RUNS, most=1)
    first, _ = other.add(), other.add()
    read_source(source)
    source.refresh_from_db()
    assert (list(Run.objects.values_list("pk", flat=True)), source.after) == ([first], 1)
    assert "quota" in source.error.lower() or "runs" in source.error


def test_a_run_takes_the_place_of_no_run_of_this_server(source: Source, other: OtherServer, owner: User) -> None:
    local = store_run(owner, document(rounds=2, visibility="public"))
    continues = {"run_id": str(local.pk), "look": 2, "rounds": 2}
    forged = other.add(document(rounds=3, continues=continues))
    read_source(source)
    assert "/continues/run_id" in refusals()[forged]
    assert state_of(local.pk).withdrawn_at is None


def test_pages_and_the_api_say_where_a_run_comes_from(
    source: Source, other: OtherServer, owner: User, client: Client
) -> None:
    run_id = other.add(origin="https://first.example.org/runs/1/")
    read_source(source)
    client.force_login(owner)

    text = read(client.get(f"/runs/{run_id}/")).text
    assert "Read from lab. The run on first.example.org" in text
    assert "Labels and visibility" not in text

    body = client.get(f"/api/v1/runs/{run_id}").json()
    assert (body["read_from"], body["origin"]) == ("lab", "https://first.example.org/runs/1/")
    number_changes()
    [change] = client.get("/api/v1/changes").json()["changes"]
    assert change["origin"] == "https://first.example.org/runs/1/"


def test_the_owner_here_can_only_delete_a_run_of_a_source(
    source: Source, other: OtherServer, owner: User, client: Client
) -> None:
    run_id = other.add()
    read_source(source)
    client.force_login(owner)
    for action in ("edit", "withdraw", "reinstate"):
        answer = client.post(f"/runs/{run_id}/{action}/", {"labels": "", "visibility": "private", "reason": "x"})
        assert answer.status_code == 403
    _, secret = make_token(owner)
    headers = {"Authorization": f"Bearer {secret}"}
    body = json.dumps({"reason": "x"})
    address = f"/api/v1/runs/{run_id}/withdrawal"
    assert client.put(address, body, "application/json", headers=headers).status_code == 403
    assert state_of(run_id).withdrawn_at is None

    assert client.post(f"/runs/{run_id}/delete/").status_code == 302
    assert not Run.objects.exists()
