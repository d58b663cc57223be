"""What a program reads that follows the server: changes of public runs by number, and documents to store again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.api.routes import changes as routes
from benchdb.feeds import changes
from benchdb.ingest.contract import validate
from benchdb.ingest.models import Scope
from benchdb.runs.changes import number_changes
from benchdb.runs.models import Run, Visibility
from benchdb.runs.services import delete_run, edit, limit_visibility, reinstate, withdraw
from benchdb.runs.store import archive
from tests.conftest import Upload
from tests.signatures.signing import make_key, signed
from tests.support.api import error_of
from tests.support.documents import document, encoded
from tests.support.store import make_token, store_run

CHANGES = "/api/v1/changes"


def read(client: Client, after: int = 0) -> list[dict[str, Any]]:
    number_changes()
    answer = client.get(CHANGES, {"after": after})
    assert answer.status_code == 200
    return answer.json()["changes"]


def test_changes_come_in_the_order_of_their_numbers(client: Client, owner: User) -> None:
    first, second = store_run(owner), store_run(owner)
    number_changes()
    edit(first, {"disk": "new"}, Visibility.PUBLIC)

    found = read(client)

    assert [each["run_id"] for each in found] == [str(second.pk), str(first.pk)]
    assert found[1]["labels"] == {"disk": "new"}
    assert (found[1]["left"], found[1]["reason"], found[1]["reading"]) == (None, "", 1)
    assert read(client, found[0]["change"]) == found[1:]
    assert read(client, found[1]["change"]) == []
    assert client.get(CHANGES, {"after": 2**60}).json() == {"changes": [], "greatest": found[1]["change"]}


def test_the_greatest_number_stays_while_its_run_waits_for_another(client: Client, owner: User) -> None:
    """Else a reader takes the server for one that was restored, and reads everything again."""
    run = store_run(owner)
    [found] = read(client)
    edit(run, {"disk": "new"}, Visibility.PUBLIC)
    assert client.get(CHANGES, {"after": found["change"]}).json() == {"changes": [], "greatest": found["change"]}


LEAVING: dict[str, tuple[Callable[[Run], None], str]] = {
    "withdrawn": (lambda run: withdraw(run, "the disk was failing"), "the disk was failing"),
    "hidden": (lambda run: limit_visibility([run.pk], Visibility.PRIVATE), ""),
    "deleted": (delete_run, ""),
}


@pytest.mark.parametrize("left", LEAVING)
def test_a_run_that_left_says_how_and_nothing_else(client: Client, owner: User, left: str) -> None:
    run = store_run(owner, labels={"a": "b"})
    run_id, (leave, reason) = str(run.pk), LEAVING[left]
    leave(run)

    [found] = read(client)

    assert (found["run_id"], found["left"], found["reason"], found["labels"]) == (run_id, left, reason, {})


def test_a_withdrawal_of_a_hidden_run_is_not_explained_to_servers(ada: Client, owner: User) -> None:
    run = store_run(owner)
    withdraw(run, "secret")
    edit(run, {}, Visibility.PRIVATE)

    assert [(each["left"], each["reason"]) for each in read(ada)] == [("hidden", "")]


def test_a_run_that_comes_back_has_not_left(client: Client, owner: User) -> None:
    run = store_run(owner)
    withdraw(run, "a mistake")
    reinstate(run)
    assert [each["left"] for each in read(client)] == [None]


def test_pages_of_changes_have_each_of_them_once(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "AT_ONCE", 2)
    runs = [store_run(owner) for _ in range(5)]
    found, after = [], 0
    while page := read(client, after):
        assert len(page) <= 2
        found += [each["run_id"] for each in page]
        after = page[-1]["change"]
    assert found == [str(run.pk) for run in runs]


def test_changes_take_as_many_queries_for_many_runs_as_for_one(client: Client, owner: User) -> None:
    counts = []
    for count in (1, 5):
        for _ in range(count):
            store_run(owner)
        number_changes()
        with CaptureQueriesContext(connection) as captured:
            client.get(CHANGES)
        counts.append(len(captured))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("after", ["-1", "x", str(2**63)])
def test_a_number_that_no_change_can_have_is_refused(client: Client, db: None, after: str) -> None:
    error_of(client.get(CHANGES, {"after": after}), 422)


def test_a_token_without_the_scope_to_read_reads_no_changes(client: Client, owner: User) -> None:
    _, serving = make_token(owner, Scope.SERVE)
    error_of(client.get(CHANGES, headers={"Authorization": f"Bearer {serving}"}), 403)


@pytest.mark.parametrize("whole_up_to", [routes.WHOLE_UP_TO, 0], ids=["at once", "in pieces"])
def test_a_document_can_be_stored_again(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch, whole_up_to: int
) -> None:
    monkeypatch.setattr(routes, "WHOLE_UP_TO", whole_up_to)
    run = store_run(owner)

    answer = client.get(f"/api/v1/runs/{run.pk}/document")

    assert (answer["Content-Type"], answer.streaming) == ("application/json", not whole_up_to)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert validate(body, run.pk).frame.visibility == "public"


@pytest.mark.needs("ssh-keygen", package="openssh-client")
def test_a_signed_document_comes_as_it_was_signed(upload: Upload, client: Client, tmp_path: Path) -> None:
    sent = document(visibility="public")
    signature = signed(make_key(tmp_path), encoded(sent))
    assert upload(sent, headers={"BenchDB-Signature": signature}).status_code == 201

    answer = client.get(f"/api/v1/runs/{sent['run_id']}/document")

    assert (answer.content, answer["BenchDB-Signature"]) == (encoded(sent), signature)


def test_a_document_whose_raw_output_cannot_be_read_is_refused_for_now(
    client: Client, owner: User, settings: Any, tmp_path: Path
) -> None:
    backend = {"BACKEND": "benchdb.runs.store.archive.DurableFiles", "OPTIONS": {"location": tmp_path}}
    settings.STORAGES = {**settings.STORAGES, "archive": backend}
    run = store_run(owner)
    assert archive.move(run.artifacts.get().pk) > 0
    for path in tmp_path.rglob("*.gz"):
        path.unlink()

    error_of(client.get(f"/api/v1/runs/{run.pk}/document"), 503)


def test_the_document_of_a_deleted_run_is_gone(client: Client, owner: User) -> None:
    run = store_run(owner)
    address = f"/api/v1/runs/{run.pk}/document"
    delete_run(run)
    error_of(client.get(address), 410)
