"""Files made by workers: made once for all requests, served only for the same content, and deleted in time."""

import gzip
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.page_parts.kept import LeftToWorker, LivePart
from benchdb.compare.permalinks.services import share
from benchdb.compare.table.content import TableContent
from benchdb.exports import parts, registry, tasks, worker_files
from benchdb.exports.formats import FORMATS
from benchdb.exports.models import Export
from benchdb.ingest.imports.turns import IMPORTS, LARGE, PAGES, try_lock
from benchdb.runs.kept import seen
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.comparing.exported import FROZEN, LIVE, a_table
from tests.support.html import read
from tests.support.made import make_all
from tests.support.threads import at_once

BROWSER = {"Accept": "text/html,*/*"}


@pytest.fixture
def address(owner: User) -> str:
    """The address of a permalink's picture."""
    link, _ = share(owner, "table", ids(compared_runs(owner)), site="http://testserver")
    return f"/c/{link.id}.svg"


def test_a_picture_is_made_and_then_served(client: Client, address: str) -> None:
    waiting = client.get(address)

    assert (waiting.status_code, waiting["Retry-After"], waiting["Cache-Control"]) == (202, "2", "no-store")
    make_all()
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert answer.content.startswith(b"<?xml")
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_it_is_sent_as_it_is_stored_to_who_takes_that(client: Client, address: str) -> None:
    client.get(address)
    make_all()

    packed = client.get(address, headers={"Accept-Encoding": "gzip, br"})

    assert (packed["Content-Encoding"], packed["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(packed.content) == client.get(address).content


def test_a_browser_gets_a_page_that_waits(client: Client, address: str) -> None:
    page = read(client.get(address, headers=BROWSER), 202)

    (poll,) = [attributes["data-poll"] for _, attributes in page.elements if attributes.get("data-poll")]
    assert poll is not None
    assert ("meta", {"http-equiv": "refresh", "content": "5"}) in page.elements
    assert client.get(poll).json() == {"state": "waiting", "reason": ""}
    make_all()
    assert client.get(poll).json() == {"state": "ready", "reason": ""}
    for nothing in ("nothing", "%00", "0" * 64):
        assert client.get(f"/exports/{nothing}/state").status_code == 404


def test_asking_twice_makes_it_once(client: Client, address: str, django_assert_num_queries: Any) -> None:
    client.get(address)
    client.get(address)
    assert Export.objects.count() == 1
    make_all()
    before = Export.objects.get().data
    tasks.make()

    assert Export.objects.get().data == before
    with django_assert_num_queries(3):  # of the permalink's state, its content, and the worker's file
        client.get(address)


def test_another_content_address_form_or_version_is_another_file(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    content = a_table(owner)
    digests = {
        worker_files.ask(content, FROZEN, "svg").pk,
        worker_files.ask(replace(content, notes=["redacted"]), FROZEN, "svg").pk,
        worker_files.ask(content, LIVE, "svg").pk,
        worker_files.ask(content, FROZEN, "png").pk,
    }
    monkeypatch.setattr(worker_files, "EXPORTS_VERSION", registry.EXPORTS_VERSION + 1)
    digests.add(worker_files.ask(content, FROZEN, "svg").pk)

    assert len(digests) == 5
    document = to_json(content)
    reordered = from_json({name: document[name] for name in sorted(document)})
    assert worker_files.ask(reordered, FROZEN, "svg").pk in digests


def test_a_failure_says_why_and_is_tried_again_later(client: Client, owner: User) -> None:
    address = f"/surface/surface.png?run={surface_run(owner).id}"
    client.get(address)
    Export.objects.update(source=b"not gzip")
    make_all()

    answer = client.get(address)

    assert answer.status_code == 500
    assert "The PNG file could not be made: BadGzipFile" in answer.content.decode()
    page = read(client.get(address, headers=BROWSER), 500)
    assert "Other pages and files are not affected." in page.text
    Export.objects.update(asked_at=timezone.now() - worker_files.TRIED_AGAIN)
    assert client.get(address).status_code == 202


def test_what_takes_too_long_has_failed(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def overrun(*_: object) -> str:
        raise SoftTimeLimitExceeded

    export = worker_files.ask(a_table(owner), FROZEN, "svg")
    monkeypatch.setitem(FORMATS, "svg", replace(FORMATS["svg"], export=overrun))
    with pytest.raises(SoftTimeLimitExceeded):
        tasks.make()

    export.refresh_from_db()
    assert (export.state, export.failure) == ("failed", "not done after 60 seconds")


def test_what_kills_its_worker_every_time_is_given_up(owner: User) -> None:
    export = worker_files.ask(a_table(owner), FROZEN, "svg")
    Export.objects.update(attempts=worker_files.MOST_ATTEMPTS)

    tasks.make()

    export.refresh_from_db()
    assert (export.state, export.failure) == ("failed", "6 attempts ended without an answer")


def test_only_so_many_may_wait(client: Client, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_files, "MOST_WAITING", 1)
    client.get(address)

    refused = client.get(address.replace(".svg", ".png"))

    assert (refused.status_code, refused["Retry-After"]) == (503, "30")
    assert client.get(address).status_code == 202


def test_live_addresses_leave_room_for_permalinks(
    client: Client, owner: User, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can request a thousand different live addresses, but permalinks must exist."""
    monkeypatch.setattr(worker_files, "MOST_WAITING_LIVE", 1)
    live = f"/compare/table.svg?{ids(compared_runs(owner))}"

    assert [client.get(f"{live}&margin=0.0{i}").status_code for i in (1, 2)] == [202, 503]
    assert client.get(address).status_code == 429, "one at a time"
    assert client.get(address, REMOTE_ADDR="192.0.2.7").status_code == 202


def test_an_address_has_one_turn_for_all_its_accounts(owner: User) -> None:
    worker_files.ask(a_table(owner), FROZEN, "svg", "192.0.2.1", "account 1")
    for askers in (("192.0.2.1", "account 2"), ("192.0.2.2", "account 1")):
        with pytest.raises(worker_files.OneAtATime):
            worker_files.ask(a_table(owner), FROZEN, "png", *askers)


def test_other_spellings_of_the_host_make_no_other_file(client: Client, address: str) -> None:
    for n, host in enumerate(("testserver:1001", "TestServer", "testserver.", "testserver:0080")):
        client.get(address, headers={"host": host}, REMOTE_ADDR=f"192.0.2.{n}")
    assert Export.objects.count() <= 2, "with the site's own port, or without"
    assert client.get(address.replace(".svg", ".png"), REMOTE_ADDR="192.0.2.0").status_code == 429


def test_very_many_values_are_written_by_a_worker(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    query = ids(compared_runs(owner))
    whole = client.get(f"/compare/table.csv?{query}&shape=long").content
    monkeypatch.setattr(registry, "MANY_VALUES", 10)

    assert client.get(f"/compare/table.csv?{query}&shape=long").status_code == 202
    assert client.get(f"/compare/table.csv?{query}&shape=wide").status_code == 200
    make_all()
    answer = client.get(f"/compare/table.csv?{query}&shape=long")
    assert (answer.content, answer["Content-Type"]) == (whole, "text/csv; charset=utf-8")


def test_a_lost_message_is_sent_again(owner: User, settings: Any) -> None:
    export = worker_files.ask(replace(a_table(owner), runs=[]), FROZEN, "svg")
    assert tasks.tidy()["asked again"] == 0

    overdue = timezone.now() - timedelta(seconds=settings.SWEEP_SECONDS)
    Export.objects.update(asked_at=overdue)
    assert tasks.tidy()["asked again"] == 1
    export.refresh_from_db()
    assert export.asked_at > overdue


def test_a_file_that_was_finished_meanwhile_is_not_made_again(client: Client, address: str) -> None:
    """A request that found the file waiting may send it again only after a worker has finished it."""
    client.get(address)
    make_all()
    assert worker_files._enqueue(Export.objects.all()) == 0
    assert (client.get(address).status_code, Export.objects.get().state) == (200, Export.State.READY)


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_the_worker_that_makes_it(client: Client, address: str) -> None:
    client.get(address)
    Export.objects.update(asked_at=timezone.now() - timedelta(minutes=1))

    with transaction.atomic():
        Export.objects.select_for_update().get()  # a worker holds this lock while it draws
        answers = at_once([lambda: client.get(address).status_code, lambda: tasks.tidy()["asked again"]])

    assert answers == [202, 0]
    assert tasks.tidy()["asked again"] == 1


@pytest.mark.django_db(transaction=True)
def test_a_second_request_is_no_attempt_while_a_worker_makes_it(client: Client, address: str) -> None:
    client.get(address)

    with transaction.atomic():
        Export.objects.select_for_update().get()  # a worker holds this lock while it draws
        at_once([lambda: tasks.make()])

    export = Export.objects.get()
    assert (export.state, export.attempts) == ("waiting", 0)
    tasks.make()
    assert Export.objects.get().attempts == 1


def test_the_longest_unused_goes_first(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    content = replace(a_table(owner), runs=[])
    exports = [worker_files.ask(replace(content, title=str(i)), FROZEN, "svg") for i in range(3)]
    for i, export in enumerate(exports):
        Export.objects.filter(pk=export.pk).update(size=10, used_at=timezone.now() - timedelta(hours=i))
    monkeypatch.setattr(worker_files, "MOST_BYTES", 25)

    tasks.tidy()

    assert set(Export.objects.values_list("pk", flat=True)) == {export.pk for export in exports[:2]}
    Export.objects.update(used_at=timezone.now() - worker_files.KEPT_FOR)
    tasks.tidy()
    assert not Export.objects.exists()


def test_files_of_deleted_runs_are_deleted(client: Client, owner: User) -> None:
    kept, lost = compared_runs(owner, {"ext4": 1e8, "xfs": 2e8})
    for run in (kept, lost):
        client.get(f"/c/{share(owner, 'table', ids([run]))[0].id}.svg")
    make_all()

    delete_run(lost)
    tasks.tidy()

    assert [export.runs for export in Export.objects.all()] == [[kept.id]]


@pytest.mark.parametrize("bound", ["MOST_BYTES_OF_ONE", "MOST_UNPACKED"])
def test_a_file_that_is_too_large_is_refused(owner: User, monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    monkeypatch.setattr(worker_files if bound == "MOST_BYTES_OF_ONE" else parts, bound, 100)
    export = worker_files.ask(a_table(owner), FROZEN, "svg")

    tasks.make()

    export.refresh_from_db()
    assert export.failure.startswith("the file would have more than 0 MiB; choose fewer")


def _waiting(content: TableContent, *seconds: float) -> list[str]:
    """Digests of files that are expected to take so long, requested in this order."""
    digests = []
    for number, expected in enumerate(seconds):
        export = worker_files.ask(replace(content, title=str(number)), FROZEN, "csv")
        due = export.asked_at + worker_files.HURRY * timedelta(seconds=expected)
        Export.objects.filter(pk=export.pk).update(seconds=expected, due_at=due)
        digests.append(export.pk)
    return digests


def _made_next() -> str:
    before = set(Export.objects.filter(state="ready").values_list("pk", flat=True))
    tasks.make()
    return "".join({*Export.objects.filter(state="ready").values_list("pk", flat=True)} - before)


def test_small_ones_come_before_large_ones_but_not_for_ever(owner: User) -> None:
    large, small, old = _waiting(replace(a_table(owner), runs=[]), 10, 0.5, 10)
    Export.objects.filter(pk=old).update(due_at=timezone.now() - timedelta(seconds=50))

    assert [_made_next() for _ in range(4)] == [old, small, large, ""]


@pytest.mark.django_db(transaction=True)
def test_large_ones_are_made_one_at_a_time_and_beside_a_large_import(owner: User) -> None:
    large, small, last = _waiting(replace(a_table(owner), runs=[]), 10, 0.5, 20)

    with transaction.atomic():
        assert try_lock(LARGE, PAGES)  # as the worker of another one has it
        at_once([tasks.make, tasks.make])

    assert Export.objects.get(pk=small).state == "ready"
    assert (Export.objects.get(pk=large).state, Export.objects.get(pk=large).attempts) == ("waiting", 0)
    with transaction.atomic():
        assert try_lock(LARGE, IMPORTS)
        at_once([tasks.make])
    assert Export.objects.get(pk=large).state == "ready"
    assert _made_next() == last


def test_one_that_was_expected_to_be_small_gives_its_place_back(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> str:
        while True:
            pass

    (wrong,) = _waiting(replace(a_table(owner), runs=[]), 0.1)
    monkeypatch.setitem(FORMATS, "csv", replace(FORMATS["csv"], export=busy))
    monkeypatch.setattr(worker_files, "SMALL_SECONDS", 0.2)
    tasks.make()

    export = Export.objects.get(pk=wrong)
    assert (export.state, export.attempts, export.seconds > worker_files.LARGE_SECONDS) == ("waiting", 1, True)
    monkeypatch.undo()
    assert _made_next() == wrong


def test_large_ones_leave_places_for_small_ones(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_files, "MOST_WAITING_LARGE", 1)
    left = LeftToWorker(LivePart("page", "table", "run=1"), owner, seen(Run.objects.all()), 10)
    _waiting(replace(a_table(owner), runs=[]), 10)

    with pytest.raises(worker_files.Busy):
        worker_files.ask_part(left)
    left.seconds = 0.5
    assert worker_files.ask_part(left).due_at < timezone.now() + timedelta(seconds=3)
