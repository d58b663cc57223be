"""What takes a request too long is made by a worker, once for all readers of the same runs."""

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.compare import models
from benchdb.compare.kinds import KINDS
from benchdb.compare.models import Permalink
from benchdb.compare.page_parts import kept as parts
from benchdb.compare.permalinks.services import share
from benchdb.exports import tasks, worker_files, worker_responses
from benchdb.exports.models import Export
from benchdb.ingest.models import Scope
from benchdb.runs import kept
from benchdb.runs.models import KeptPart, RunState, Visibility
from benchdb.runs.services import edit
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.html import read
from tests.support.imports import signed_in
from tests.support.made import make_all
from tests.support.store import make_token

BROWSER = {"Accept": "text/html,*/*"}


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything take a request too long."""
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)


@pytest.fixture
def query(owner: User) -> str:
    return ids(compared_runs(owner))


def addresses(query: str) -> list[str]:
    files = [f"/compare/table.{form}?{query}" for form in ("csv", "json", "svg", "html")]
    return [f"/compare/?{query}", f"/compare/panels?{query}&row=0-0", *files]


def test_a_large_file_is_sent_in_pieces(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address = addresses(query)[3]
    at_once = Client().get(address)
    make_all()
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)
    Client().get(address)
    make_all()
    monkeypatch.setattr(worker_responses, "MOST_AT_ONCE", 100)
    monkeypatch.setattr(parts, "PIECE", 1000)

    pieces = list(Client().get(address))

    assert b"".join(pieces) == at_once.content
    assert max(map(len, pieces)) <= 1000


def test_what_would_be_too_large_to_be_kept_is_refused(query: str, long: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 100)
    assert Client().get(addresses(query)[3]).status_code == 202
    make_all()
    refused = Client().get(addresses(query)[3])
    assert (refused.status_code, b"choose fewer runs or tests" in refused.content) == (400, True)


@pytest.mark.parametrize("number", range(6))
def test_it_is_made_for_all_readers_and_as_if_it_had_been_made_at_once(
    query: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = addresses(query)[number]
    at_once = Client().get(address)
    make_all()
    KeptPart.objects.all().delete()
    Export.objects.all().delete()
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)

    waiting = [Client(REMOTE_ADDR=f"192.0.2.{i}").get(address) for i in (1, 2)]
    assert [(each.status_code, each["Retry-After"], each["Cache-Control"]) for each in waiting] == [
        (202, "2", "no-store")
    ] * 2
    assert Export.objects.count() == 1
    make_all()
    made = Client().get(address)

    assert made.status_code == 200
    if at_once.status_code == 200:
        assert made.content == at_once.content
    packed = Client().get(address, headers={"Accept-Encoding": "gzip, deflate"})
    unpack = {"gzip": gzip.decompress, "deflate": zlib.decompress}[packed["Content-Encoding"]]
    assert unpack(packed.content) == made.content


def test_requests_leave_places_for_what_workers_make(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_PARTS_OF_REQUESTS", 0)
    assert Client().get(f"/compare/?{query}").status_code == 200
    assert not KeptPart.objects.exists()
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)
    assert Client().get(f"/compare/?{query}").status_code == 202
    make_all()
    assert KeptPart.objects.exists()


def test_a_page_says_what_is_made_and_follows_it_without_scripts_too(query: str, long: None) -> None:
    address = f"/compare/?{query}"

    page = Client().get(address, headers=BROWSER)

    text = page.content.decode()
    export = Export.objects.get()
    assert page.status_code == 202
    assert "The table is being made; a worker was asked at " in read(page, 202).text
    assert f'data-poll="/files/{export.digest}"' in text or export.digest in text
    assert '<noscript><meta http-equiv="refresh"' in text
    assert f'href="{address.replace("&", "&amp;")}"' in text


def test_small_selections_are_never_left_to_a_worker(owner: User, query: str) -> None:
    surface = surface_run(owner)

    for address in (f"/compare/?{query}", f"/compare/table.csv?{query}", f"/surface/?run={surface.pk}"):
        assert Client().get(address).status_code == 200

    assert not Export.objects.exists()


def test_readers_of_other_runs_get_something_else(owner: User, long: None) -> None:
    runs = compared_runs(owner)
    edit(runs[1], {}, Visibility.PRIVATE)
    address, client = f"/compare/table.json?{ids(runs)}", signed_in(owner)

    assert [
        reader.get(address, REMOTE_ADDR=of_reader).status_code
        for reader, of_reader in ((client, "198.51.100.1"), (Client(), "198.51.100.2"))
    ] == [202, 202]
    assert Export.objects.count() == 2
    make_all()

    assert str(runs[1].pk) in client.get(address).json()["runs"]
    assert str(runs[1].pk) not in Client().get(address).json()["runs"]


def test_a_page_brings_its_content_for_files_and_for_sharing(
    owner: User, query: str, long: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled = KINDS["table"].evaluate(QueryDict(query), owner).query
    Client().get(f"/compare/?{query}")
    make_all()
    fresh = Client().get(f"/compare/table.json?{settled}").status_code

    def evaluate(*_: object) -> None:
        raise AssertionError("evaluated again")

    monkeypatch.setitem(KINDS, "table", replace(KINDS["table"], evaluate=evaluate))
    make_all()
    assert fresh == 202
    made = Client().get(f"/compare/table.json?{settled}")
    monkeypatch.undo()
    KeptPart.objects.all().delete()
    assert made.content == Client().get(f"/compare/table.json?{settled}").content


def test_an_impossible_selection_is_refused_with_its_reason(owner: User, long: None) -> None:
    address = f"/surface/?run={surface_run(owner).pk}&test=fsync"
    assert Client().get(address).status_code == 202
    make_all()

    refused = Client().get(address, headers=BROWSER)
    assert "This run has no surface of fsync" in read(refused, 400).text
    assert Client().get(address).content.startswith(b"This run has no surface of fsync")
    Export.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    assert Client().get(address).status_code == 202


def test_what_is_kept_no_more_is_made_again_but_not_for_ever(query: str, long: None) -> None:
    address = f"/compare/?{query}"
    for _ in range(worker_files.MOST_ATTEMPTS):
        assert Client().get(address).status_code == 202
        make_all()
        KeptPart.objects.all().delete()

    assert Client().get(address).status_code == 202
    make_all()
    failed = Client().get(address)
    assert (failed.status_code, "6 attempts ended without an answer" in failed.content.decode()) == (500, True)
    Export.objects.update(asked_at=timezone.now() - worker_files.TRIED_AGAIN)
    assert Client().get(address).status_code == 202
    make_all()
    assert Client().get(address).status_code == 200


def test_one_at_a_time_for_a_reader(owner: User, query: str, long: None) -> None:
    client, other = signed_in(owner), Client(REMOTE_ADDR="192.0.2.9")
    first, second = f"/compare/?{query}", f"/compare/table.csv?{query}"

    assert [client.get(address).status_code for address in (first, second, first)] == [202, 429, 202]
    assert Export.objects.get().digest in client.get(second, headers=BROWSER).content.decode()
    assert other.get(second).status_code == 202


def test_sharing_waits_for_the_worker_and_freezes_the_same(
    owner: User, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(owner)
    at_once = client.post("/share/", {"query": query, "kind": "table"})
    Permalink.objects.all().delete()
    KeptPart.objects.all().delete()
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)

    waiting = client.post("/share/", {"query": query, "kind": "table"}, headers=BROWSER)
    assert waiting.status_code == 202
    assert '<input type="hidden" name="kind" value="table">' in waiting.content.decode()
    assert "http-equiv" not in waiting.content.decode()
    make_all()
    made = client.post("/share/", {"query": query, "kind": "table"})

    assert (made.status_code, made["Location"]) == (302, at_once["Location"])


def test_the_api_answers_in_its_own_shape(owner: User, query: str, long: None) -> None:
    client = Client(headers={"Authorization": f"Bearer {make_token(owner, Scope.READ, Scope.UPLOAD)[1]}"})
    requests: list[Callable[[], object]] = [
        lambda: client.get(f"/api/v1/comparisons/table?{query}"),
        lambda: client.post("/api/v1/permalinks", json.dumps({"query": query}), "application/json"),
    ]
    for request, done in zip(requests, (200, 201), strict=True):
        waiting = request()
        assert (waiting.status_code, waiting.json()["error"]["code"]) == (202, "computing")  # type: ignore[attr-defined]
        make_all()
        assert request().status_code == done  # type: ignore[attr-defined]


def test_runs_that_wait_for_their_statistics_come_first(owner: User, long: None) -> None:
    runs = compared_runs(owner)
    RunState.objects.filter(pk=runs[0].pk).update(state="computing")

    page = Client().get(f"/compare/?{ids(runs)}", headers=BROWSER)

    assert page.status_code == 202
    assert f"/api/v1/runs/{runs[0].pk}/state" in page.content.decode()
    assert not Export.objects.exists()


def test_more_runs_than_a_request_keeps_are_kept_by_a_worker(
    query: str, long: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_RUNS", 1)
    address = f"/compare/?{query}"
    assert Client().get(address).status_code == 202
    make_all()
    assert Client().get(address).status_code == 200

    monkeypatch.setattr(kept, "MOST_RUNS_OF_TASK", 2)
    assert Client().get(f"{address}&margin=0.03").status_code == 400


def test_no_more_queries_for_more_runs(owner: User, long: None) -> None:
    counts = []
    for means in ({"ext4": 1e8}, {"ext4": 1e8, "xfs": 1e8, "btrfs": 1e8}):
        address = f"/compare/?{ids(compared_runs(owner, means))}"
        for expected in (202, 200):
            with CaptureQueriesContext(connection) as queries:
                assert Client(REMOTE_ADDR=f"192.0.2.{len(counts)}").get(address).status_code == expected
            counts.append(len(queries))
            make_all()

    assert counts[:2] == counts[2:]


def test_a_failure_is_told(query: str, long: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setitem(worker_files.MAKERS, "page", fail)  # type: ignore[arg-type]
    Client().get(f"/compare/?{query}")
    tasks.make()

    failed = Client().get(f"/compare/?{query}")
    assert (failed.status_code, "ZeroDivisionError: a fault of ours" in failed.content.decode()) == (500, True)


def test_pages_and_files_of_large_permalinks_are_made_by_a_worker(
    owner: User, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, _ = share(owner, "table", query, site="http://testserver")
    paths = [f"/c/{link.pk}/?cell=0-0-0", f"/c/{link.pk}.csv?shape=wide", f"/c/{link.pk}/today"]
    at_once = [Client().get(path).content for path in paths]
    monkeypatch.setattr(models, "LARGE_BYTES", 1)
    monkeypatch.setattr(parts, "TASK_SECONDS", 0)

    for path, small in zip(paths, at_once, strict=True):
        assert Client().get(path).status_code == 202, path
        make_all()
        assert Client().get(path).content == small, path
