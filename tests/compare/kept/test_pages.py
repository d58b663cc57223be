"""Live pages are evaluated once for all readers of the same runs, and anew after every change of one."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.catalog.models import Machine
from benchdb.ingest.reparse import reparse
from benchdb.runs import kept
from benchdb.runs.models import KeptPart, Run, RunState, Visibility
from benchdb.runs.services import delete_run, edit, limit_visibility, reinstate, withdraw
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.documents import iozone_document
from tests.support.imports import signed_in
from tests.support.store import make_user, store_run
from tests.texts import missing_in

QUERIES_OF_KEPT = 2  # the runs that the reader may see, and the part


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content.decode()[-2000:]
    return answer.content.decode()


def addresses(owner: User) -> dict[str, str]:
    """An address of each kind of page, with a public run each."""
    runs, grid = compared_runs(owner), surface_run(owner)
    return {
        "table": f"/compare/?{ids(runs)}",
        "surface": f"/surface/?run={grid.pk}",
        "trend": f"/trend/?run={runs[0].pk}",
        "panels": f"/compare/panels?{ids(runs)}&row=0-0",
    }


@pytest.mark.parametrize("kind", ["table", "surface", "trend", "panels"])
def test_the_second_reader_gets_the_same_page_without_an_evaluation(owner: User, kind: str) -> None:
    address = addresses(owner)[kind]

    first = read(Client(), address)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        second = read(Client(), address)

    assert second == first
    assert len(queries) == QUERIES_OF_KEPT + (3 if kind == "panels" else 0)  # sizes, surfaces and samples are read anew


@pytest.mark.parametrize("kind", ["panels", "json", "csv"])
def test_a_reader_who_has_it_gets_304_until_a_run_is_hidden(owner: User, kind: str) -> None:
    runs = compared_runs(owner)
    address = f"/compare/panels?{ids(runs)}&row=0-0" if kind == "panels" else f"/compare/table.{kind}?{ids(runs)}"
    read(Client(), address)
    first = Client().get(address)
    had = {"If-None-Match": first["ETag"]}

    again = Client().get(address, headers=had)
    limit_visibility([runs[0].pk], Visibility.PRIVATE)

    assert (again.status_code, again.content, first["Cache-Control"]) == (304, b"", "private, no-cache")
    assert Client().get(address, headers=had).status_code == 200


def test_what_is_kept_has_no_name_token_or_right_of_a_reader(owner: User) -> None:
    address = addresses(owner)["table"]
    own = read(signed_in(owner), address)
    nobodys = read(Client(), address)

    assert KeptPart.objects.count() == 1
    assert not missing_in(own, ">ada</button>", "csrfmiddlewaretoken")
    assert missing_in(nobodys, "ada", "csrfmiddlewaretoken") == ["ada", "csrfmiddlewaretoken"]
    assert "Sign in to share" in nobodys


def test_a_reader_of_fewer_runs_gets_a_page_of_these(owner: User) -> None:
    runs = compared_runs(owner)
    edit(runs[1], {}, Visibility.PRIVATE)
    address = f"/compare/?{ids(runs)}"
    client = signed_in(owner)

    own, nobodys = read(client, address), read(Client(), address)
    again = read(client, address)

    assert "1 run of this address, deleted or not visible to you" in nobodys
    assert "not visible to you" not in own
    assert f"/runs/{runs[1].pk}/" not in nobodys
    assert "not visible to you" not in again


CHANGES: dict[str, Callable[[Run], object]] = {
    "labels": lambda run: edit(run, {"patch": "7"}, Visibility.PUBLIC),
    "hidden": lambda run: edit(run, {}, Visibility.PRIVATE),
    "hidden by staff": lambda run: limit_visibility([run.pk], Visibility.UNLISTED),
    "withdrawn": lambda run: withdraw(run, "a cable was loose"),
    "reinstated": lambda run: [withdraw(run, "a mistake"), reinstate(run)],
    "deleted": delete_run,
    "machine renamed": lambda run: Machine.objects.filter(pk=run.machine_id).update(name="another name"),
    "parsed again": lambda run: RunState.objects.filter(pk=run.pk).update(current_parse=run.runstate.current_parse),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("kind", ["table", "surface", "trend"])
def test_after_a_change_every_page_is_as_if_nothing_had_been_kept(
    owner: User, kind: str, change: Callable[[Run], object]
) -> None:
    address = addresses(owner)[kind]
    run = Run.objects.with_context().get(pk=UUID(address.partition("run=")[2].partition("&")[0]))
    read(Client(), address)

    change(run)
    kept_answer = Client().get(address)
    KeptPart.objects.all().delete()
    fresh = Client().get(address)

    assert (kept_answer.status_code, kept_answer.content) == (fresh.status_code, fresh.content)


@pytest.mark.parametrize("change", [*CHANGES][:6])
def test_a_change_of_a_run_takes_what_was_kept_with_it(owner: User, change: str) -> None:
    runs = compared_runs(owner)
    read(Client(), f"/compare/?{ids(runs)}")
    read(Client(), f"/compare/?run={runs[0].pk}")
    other = store_run(make_user("bob"))
    read(Client(), f"/compare/?run={other.pk}")
    assert KeptPart.objects.filter(runs__contains=[runs[0].pk]).count() == 2

    CHANGES[change](runs[0])

    assert not KeptPart.objects.filter(runs__contains=[runs[0].pk]).exists()
    assert KeptPart.objects.get().runs == [other.pk]


def test_a_real_new_parse_shows_at_once(owner: User) -> None:
    sent = iozone_document(visibility="public")
    halved = [{**each, "values": [value and value / 2 for value in each["values"]]} for each in sent["results"]]
    run = store_run(owner, sent | {"workload": {**sent["workload"], "parser_version": "0"}, "results": halved})
    address = f"/compare/table.json?run={run.pk}"
    before = read(Client(), address)
    read(Client(), f"/compare/?run={run.pk}")

    assert reparse(run.pk).changed

    assert not KeptPart.objects.exists()
    assert read(Client(), address) != before


def test_runs_that_wait_for_their_statistics_are_not_kept(owner: User) -> None:
    run = store_run(owner)
    RunState.objects.filter(pk=run.pk).update(state="computing")

    read(Client(), f"/compare/?run={run.pk}")

    assert not KeptPart.objects.exists()


def test_a_new_release_evaluates_anew(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    address = addresses(owner)["table"]
    read(Client(), address)

    monkeypatch.setattr(kept, "release", lambda: "a later one")
    read(Client(), address)

    assert KeptPart.objects.count() == 2
