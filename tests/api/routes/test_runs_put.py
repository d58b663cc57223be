"""`PUT /api/v1/runs/{run_id}`: what is stored, and who may upload."""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.ingest.models import Scope, Token
from benchdb.runs.models import VALUES, Run
from tests.conftest import Upload
from tests.support.api import error_of, table_sizes
from tests.support.documents import bonnie_document, document, encoded, iozone_document, result, uuid7, zipped
from tests.support.store import make_token, make_user, store_run


@pytest.mark.parametrize("make", [document, iozone_document, bonnie_document])
def test_a_new_document_is_stored(upload: Upload, make) -> None:
    sent = make()

    answer = upload(sent)

    assert answer.status_code == 201, answer.content
    assert answer.json() == {
        "run_id": sent["run_id"],
        "url": f"http://testserver/runs/{sent['run_id']}/",
        "state": "received",
        "failure": "",
        "machine": "epyc-2",
    }
    run = Run.objects.get(pk=sent["run_id"])
    assert list(run.results.order_by("ordinal").values_list("test", VALUES, "file_size", "record_size")) == [
        (entry["test"], entry["values"], entry.get("file_size"), entry.get("record_size")) for entry in sent["results"]
    ]
    assert [bytes(artifact.content).decode() for artifact in run.artifacts.all()] == [sent["artifacts"][0]["data"]]


def test_the_same_document_again_changes_nothing(upload: Upload) -> None:
    sent = document()
    upload(sent)
    sizes = table_sizes()

    backwards = json.dumps(dict(reversed(sent.items())), indent=1).encode()
    for body, headers in [(None, {}), (backwards, {}), (zipped(sent), {"Content-Encoding": "gzip"})]:
        answer = upload(sent, body=body, headers=headers)
        assert answer.status_code == 200, answer.content
        assert answer.json()["state"] == "ready"
    assert table_sizes() == sizes


def test_the_answer_holds_the_state_of_a_run_that_was_stored_before(owner: User, upload: Upload) -> None:
    sent = document()
    store_run(owner, sent)

    assert upload(sent).json()["state"] == "ready"


def test_another_document_under_the_same_id_is_a_conflict(upload: Upload) -> None:
    sent = document()
    upload(sent)
    sizes = table_sizes()

    assert error_of(upload({**sent, "labels": {"plan": "other"}}), 409)["code"] == "conflict"
    assert table_sizes() == sizes
    assert Run.objects.get().runstate.labels == {"plan": "tests"}


def test_another_owner_cannot_store_under_the_same_id(upload: Upload) -> None:
    sent = document()
    upload(sent)

    error_of(upload(sent, secret=make_token(make_user("grace"))[1]), 409)


def test_a_deleted_run_takes_no_document_again(upload: Upload, client: Client, secret: str) -> None:
    sent = document()
    upload(sent)
    client.delete(f"/api/v1/runs/{sent['run_id']}", headers={"Authorization": f"Bearer {secret}"})

    assert error_of(upload(sent), 410)["code"] == "deleted"
    assert Run.objects.count() == 0


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "Bearer \xff\xfe", "bdb_x"]
)
def test_without_a_valid_token_nothing_is_stored(client: Client, db: None, header: str) -> None:
    sent = document()
    headers = {"Authorization": header} if header else {}

    answer = client.put(f"/api/v1/runs/{sent['run_id']}", encoded(sent), "application/json", headers=headers)

    error_of(answer, 401)
    assert answer["WWW-Authenticate"] == "Bearer"
    assert Run.objects.count() == 0


def test_a_token_that_is_no_longer_valid_is_none(owner: User, upload: Upload) -> None:
    expired = make_token(owner, expires_at=timezone.now() - timedelta(seconds=1))[1]
    revoked, revoked_secret = make_token(owner)
    Token.objects.filter(pk=revoked.pk).update(revoked_at=timezone.now())
    inactive = make_token(make_user("gone", is_active=False))[1]

    for secret in (expired, revoked_secret, inactive):
        error_of(upload(document(), secret=secret), 401)


def test_a_token_that_expires_later_is_valid(owner: User, upload: Upload) -> None:
    secret = make_token(owner, expires_at=timezone.now() + timedelta(hours=1))[1]

    assert upload(document(), secret=secret).status_code == 201


@pytest.mark.parametrize("scope", [Scope.READ, Scope.QUEUE])
def test_a_token_without_the_scope_may_not_upload(owner: User, upload: Upload, scope: Scope) -> None:
    error = error_of(upload(document(), secret=make_token(owner, scope)[1]), 403)

    assert error["message"] == "This token may not do this: it needs the scope upload."


def test_a_signed_in_user_needs_a_token_too(ada: Client) -> None:
    sent = document()

    error_of(ada.put(f"/api/v1/runs/{sent['run_id']}", encoded(sent), "application/json"), 401)


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_a_run_is_as_visible_as_its_document_says_or_its_token(owner: User, upload: Upload, visibility: str) -> None:
    open_handed = make_token(owner, default_visibility=visibility)[1]
    says, says_nothing = document(visibility=visibility), document()

    upload(says)
    upload(says_nothing, secret=open_handed)

    assert {run.runstate.visibility for run in Run.objects.all()} == {visibility}
    assert Run.objects.count() == 2


def test_a_faulty_document_stores_nothing_and_lists_every_fault(upload: Upload) -> None:
    sent = document(results=[result([1.0, -2.0, 3.0]), result([1.0, 2.0, 3.0], "read", unit="op/s")])
    del sent["environment"]
    sizes = table_sizes()

    error = error_of(upload(sent), 422)

    assert error["code"] == "faulty_document"
    assert {fault["pointer"]: fault["value"] for fault in error["faults"]} == {
        "/environment": None,
        "/results/0/values/1": -2.0,
        "/results/1/unit": "op/s",
    }
    assert error["message"] == (
        "Not stored: `environment` should be present: the field is required, and 2 more faults. "
        "Correct the document and send it again."
    )
    assert table_sizes() == sizes


def test_only_the_server_says_that_figures_are_an_articles(upload: Upload) -> None:
    sent = document(extra={"publication": {"slug": "ffsb-2007"}, "import": {"files": []}, "site": "hall 3"})

    answer = upload(sent)

    assert answer.status_code == 422
    faults = {fault["pointer"]: fault["expected"] for fault in answer.json()["error"]["faults"]}
    assert set(faults) == {"/extra/publication", "/extra/import"}
    assert "only the server says" in faults["/extra/publication"]
    assert not Run.objects.exists()


def test_the_id_in_the_document_is_the_one_in_the_address(upload: Upload) -> None:
    sent = document()

    error = error_of(upload(sent, run_id=uuid7()), 422)

    assert (error["faults"][0]["pointer"], error["faults"][0]["value"]) == ("/run_id", sent["run_id"])


@pytest.mark.parametrize("run_id", [7, "x", "../runs", "0" * 32])
def test_an_address_without_an_id_is_not_found(upload: Upload, run_id: object) -> None:
    error_of(upload(document(), run_id=run_id), 404)


def test_an_environment_is_stored_once_per_owner(upload: Upload) -> None:
    other_secret = make_token(make_user("grace"))[1]
    for secret in [None, None, other_secret]:
        sent = document()
        assert (upload(sent, secret=secret) if secret else upload(sent)).status_code == 201
    changed = document()
    changed["environment"]["kernel"]["release"] = "6.12.0"
    upload(changed)

    sizes = table_sizes()
    assert (sizes["runs.Run"], sizes["catalog.Environment"], sizes["catalog.Target"]) == (4, 3, 2)
    assert sizes["catalog.Machine"] == 2


def test_a_machine_is_named_as_its_agent_says_now(upload: Upload) -> None:
    """A run that fewer people can see does not rename it, and its answer says so."""
    upload(document())
    named = [("epyc-3", "private"), ("epyc-4", "public"), ("epyc-5", "private")]
    renamed = [document(machine={"name": name, "machine_id": "5a" * 32}, visibility=who) for name, who in named]
    assert [upload(run).json()["machine"] for run in renamed] == ["epyc-3", "epyc-4", "epyc-4"]

    assert Run.objects.get(pk=UUID(renamed[0]["run_id"])).machine.name == "epyc-4"
    assert table_sizes()["catalog.Machine"] == 1


def test_more_results_take_no_more_queries(upload: Upload, django_assert_num_queries) -> None:
    upload(document())
    one, many = document(results=[result([1.0] * 3)]), iozone_document()
    with django_assert_num_queries(14):
        assert upload(one, computed=False).status_code == 201
    with django_assert_num_queries(14):
        assert upload(many, computed=False).status_code == 201


@pytest.mark.parametrize(
    ("at", "milliseconds"), [("1970-01-01T00:00:10+00:00", 10_000), ("2106-01-01T00:00:10+00:00", 4_291_747_210_000)]
)
def test_a_machine_with_a_wrong_clock_may_upload(upload: Upload, client: Client, at: str, milliseconds: int) -> None:
    """Its dates are wrong, but its results are not. The run's id contains the same wrong date."""
    run_id = str(UUID(int=milliseconds << 80 | uuid7().int % 2**80))
    sent = document(run_id=run_id, started_at=at, finished_at=at, visibility="public")

    assert upload(sent).status_code == 201
    assert upload(sent).status_code == 200
    assert client.get(f"/runs/{run_id}/").status_code == 200
    assert client.get("/runs/").status_code == 200
