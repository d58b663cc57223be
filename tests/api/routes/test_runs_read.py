"""`GET` and `DELETE` of runs: readers get the document as it was sent, if they may read it."""

import base64
import gzip
import hashlib
import json
from typing import Any

import orjson
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.api.routes import run_answers
from benchdb.ingest.models import Scope
from benchdb.runs import queries as run_queries
from benchdb.runs.models import Run
from benchdb.runs.queries import results_of
from tests.conftest import Upload
from tests.support.api import contains, error_of, table_sizes
from tests.support.documents import artifact, bonnie_document, document, iozone_document, result, uuid7
from tests.support.store import id_of, make_token, make_user, store_run

SENT_IN_RESULTS = (
    "test",
    "metric",
    "unit",
    "file_size",
    "record_size",
    "threads",
    "values",
    "status",
    "error",
    "source",
)


def address(run: Any, rest: str = "") -> str:
    return f"/api/v1/runs/{run.pk}{rest}"


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


@pytest.mark.parametrize("make", [document, iozone_document, bonnie_document])
def test_a_run_is_read_as_it_was_sent(owner: User, client: Client, make) -> None:
    sent = make(visibility="public", extra={"deep": [{"er": 1.5}]}, campaign={"id": str(uuid7()), "point": "ext4"})

    read = client.get(address(store_run(owner, sent))).json()

    assert read["state"] == "ready"
    for field in ("run_id", "campaign", "labels", "visibility", "extra"):
        assert read[field] == sent[field]
    assert read["document_schema"] == sent["schema"]
    assert [read[name] for name in ("tool", "tool_version", "command", "parameters")] == [
        sent["workload"][name] for name in ("tool", "tool_version", "command", "parameters")
    ]
    for section in ("environment", "target", "protocol", "state_before"):
        assert contains(read[section], sent[section])
    assert contains(
        read["rounds"], [{**round_, "started_at": round_["started_at"][:19] + "Z"} for round_ in sent["rounds"]]
    )
    assert [{name: entry[name] for name in SENT_IN_RESULTS} for entry in read["results"]] == [
        {name: entry.get(name, "ok" if name == "status" else None) for name in SENT_IN_RESULTS}
        for entry in sent["results"]
    ]
    assert [file["sha256"] for file in read["artifacts"]] == [file["sha256"] for file in sent["artifacts"]]


def test_results_carry_their_statistics(owner: User, client: Client) -> None:
    run = store_run(owner, results=[result([1.0, 2.0, 6.0])])

    read = client.get(address(run)).json()["results"][0]

    assert (read["n"], read["mean"], read["median"], read["minimum"], read["maximum"]) == (3, 3.0, 2.0, 1.0, 6.0)


def test_the_state_alone_is_read_too(owner: User, client: Client) -> None:
    run = store_run(owner)

    assert client.get(address(run, "/state")).json() == {
        "run_id": str(run.pk),
        "url": f"http://testserver/runs/{run.pk}/",
        "state": "ready",
        "failure": "",
    }


@pytest.mark.parametrize("rest", ["", "/state", "/artifacts/iozone.txt"])
@pytest.mark.parametrize(("visibility", "others_may"), [("public", True), ("unlisted", True), ("private", False)])
def test_who_may_read(owner: User, visibility: str, others_may: bool, rest: str) -> None:
    url = address(store_run(owner, visibility=visibility), rest)
    grace = make_user("grace")
    mine, hers = Client(), Client()
    mine.force_login(owner)
    hers.force_login(grace)
    expected = 200 if others_may else 404

    assert Client().get(url).status_code == expected
    assert hers.get(url).status_code == expected
    assert Client().get(url, headers=bearer(make_token(grace, Scope.READ)[1])).status_code == expected
    assert mine.get(url).status_code == 200
    for scope in (Scope.READ, Scope.UPLOAD):
        assert Client().get(url, headers=bearer(make_token(owner, scope)[1])).status_code == 200


def test_what_may_not_be_read_looks_like_what_is_not_there(owner: User, client: Client) -> None:
    hidden = client.get(address(store_run(owner, visibility="private")))
    absent = client.get(f"/api/v1/runs/{uuid7()}")

    assert error_of(hidden, 404) == error_of(absent, 404)


def test_a_token_that_is_not_valid_or_may_not_read_is_told_so(owner: User, client: Client) -> None:
    run = store_run(owner)

    error_of(client.get(address(run), headers=bearer("nonsense")), 401)
    error_of(client.get(address(run), headers=bearer(make_token(owner, Scope.QUEUE)[1])), 403)


def test_raw_output_is_served_byte_for_byte_and_never_run(owner: User, client: Client) -> None:
    content = bytes(range(256)) * 10
    binary = {
        **artifact("trace/one.bin", "", "application/octet-stream"),
        "encoding": "base64",
        "data": base64.b64encode(content).decode(),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    page = artifact("page.html", "<script>alert(1)</script>", "text/html")
    plain = artifact("iozone.txt", "kB\r\n é \x00 \ufeff", "text/plain")
    run = store_run(owner, artifacts=[binary, page, plain])

    answers = {file["name"]: client.get(file["url"]) for file in client.get(address(run)).json()["artifacts"]}

    assert {name: (answer["Content-Type"], answer.content) for name, answer in answers.items()} == {
        "trace/one.bin": ("application/octet-stream", content),
        "page.html": ("application/octet-stream", page["data"].encode()),
        "iozone.txt": ("text/plain; charset=utf-8", plain["data"].encode()),
    }
    assert {answer["X-Content-Type-Options"] for answer in answers.values()} == {"nosniff"}
    assert answers["page.html"]["Content-Disposition"] == "attachment"


@pytest.mark.parametrize("name", ["none.txt", "%00", "a%00.txt", "..%2fiozone.txt", "%ff", "IOZONE.TXT"])
def test_raw_output_that_is_not_there_is_not_found(owner: User, client: Client, name: str) -> None:
    error_of(client.get(address(store_run(owner), f"/artifacts/{name}")), 404)


def delete(client: Client, run: Any, secret: str) -> HttpResponse:
    return client.delete(address(run), headers=bearer(secret))


def test_the_owner_deletes_a_run_with_everything_that_hangs_on_it(owner: User, client: Client, secret: str) -> None:
    run = store_run(owner, sent_with=id_of(secret))
    other = store_run(owner, sent_with=id_of(secret))

    assert delete(client, run, secret).status_code == 204
    error_of(client.get(address(run)), 410)
    error_of(delete(client, run, secret), 410)
    assert table_sizes()["catalog.Environment"] == 1
    assert delete(client, other, secret).status_code == 204

    assert {name: size for name, size in table_sizes().items() if size} == {"catalog.Machine": 1, "runs.Tombstone": 2}


def test_a_token_deletes_only_what_it_has_uploaded(owner: User, upload: Upload, client: Client, secret: str) -> None:
    """The token of one machine, in the wrong hands, deletes nothing of the owner's other machines."""
    sent = document()
    upload(sent)
    run = Run.objects.get(pk=sent["run_id"])
    for other in (run, store_run(owner)):
        error = error_of(delete(client, other, make_token(owner, *Scope)[1]), 403)
        assert "Its owner can delete it on its page" in error["message"]
    assert upload(sent, secret=make_token(owner)[1]).status_code == 200, "to send it again does not take it over"
    assert delete(client, run, secret).status_code == 204


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_nobody_else_deletes_a_run(owner: User, client: Client, visibility: str) -> None:
    run = store_run(owner, visibility=visibility)

    error_of(delete(client, run, make_token(make_user("grace"))[1]), 404)
    error_of(delete(client, run, make_token(owner, Scope.READ)[1]), 403)
    error_of(client.delete(address(run)), 401)
    client.force_login(owner)
    error_of(client.delete(address(run)), 401)
    assert client.get(address(run)).status_code == 200


@pytest.mark.parametrize("packing", ["identity", "gzip"])
def test_a_long_answer_comes_in_pieces_with_the_same_bytes(
    owner: User, client: Client, monkeypatch: pytest.MonkeyPatch, packing: str
) -> None:
    run = store_run(owner, iozone_document(visibility="public"))
    whole = client.get(address(run)).content
    results = b",".join(orjson.dumps(run_answers._result(result)) for result in results_of(run))
    assert whole.endswith(b', "results": [' + results + b"]}")
    monkeypatch.setattr(run_answers, "MOST_AT_ONCE", 0)
    monkeypatch.setattr(run_answers, "RESULTS_A_PIECE", 100)
    monkeypatch.setattr(run_queries, "ROWS_AT_ONCE", 7)

    answer = client.get(address(run), headers={"Accept-Encoding": packing})

    assert isinstance(answer, StreamingHttpResponse)
    pieces = list(answer.streaming_content)
    if packing == "gzip":
        assert answer["Content-Encoding"] == "gzip"
        assert gzip.decompress(b"".join(pieces)) == whole
    else:
        assert len(pieces) == 1 + 4 + 1
        assert b"".join(pieces) == whole


def test_reading_many_results_takes_no_more_queries(owner: User, client: Client) -> None:
    few, many = store_run(owner), store_run(owner, iozone_document(visibility="public"))

    def queries(run: Any) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(json.loads(client.get(address(run)).content)["results"]) >= 3
        return len(captured)

    assert queries(few) == queries(many) == 3
