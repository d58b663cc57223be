"""The answers that lists show of campaigns: made by workers, kept for readers of the same runs."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.exports import campaign_answers, worker_files
from benchdb.exports.models import Export
from benchdb.exports.tasks import ask_answers
from benchdb.runs.models import Run, RunState, Visibility
from benchdb.runs.services import delete_run, edit, withdraw
from tests.support.comparing.comparisons import MEANS, campaign, compared_document, compared_runs
from tests.support.documents import result
from tests.support.html import read
from tests.support.made import make_all
from tests.support.store import store_run

ANSWER = "20.0\xa0% faster than ext4"
LISTS = ("/", "/compare/", "/runs/")


def answered() -> int:
    """Ask for all answers, make them, and return how many were asked for."""
    asked = ask_answers()
    make_all()
    return asked


def lists_with(client: Client, words: str) -> list[str]:
    """The lists that say this in the row of a campaign."""
    pages = {path: read(client.get(path)) for path in LISTS}
    return [
        path
        for path, page in pages.items()
        for rows in page.tables.values()
        for row in rows
        if words in " ".join(cell.text for cell in row)
    ]


def test_lists_say_the_answer_of_a_campaign_once_it_is_made(client: Client, owner: User) -> None:
    compared_runs(owner)
    assert lists_with(client, ANSWER) == []

    assert answered() == 1

    assert lists_with(client, ANSWER) == [*LISTS]
    assert answered() == 0


def test_a_private_campaign_answers_only_its_owner(client: Client, owner: User) -> None:
    compared_runs(owner, visibility="private")
    answered()

    assert lists_with(client, ANSWER) == []
    client.force_login(owner)
    assert lists_with(client, ANSWER) == [*LISTS]


def test_a_run_that_others_may_not_see_hides_no_answer(client: Client, owner: User) -> None:
    """Else a row without an answer would tell that there is one."""
    shared = campaign()
    compared_runs(owner, campaign=shared)
    store_run(owner, compared_document("jfs", 9e9, campaign=shared), visibility="private")

    assert answered() == 2

    assert lists_with(client, ANSWER) == [*LISTS]
    client.force_login(owner)
    assert lists_with(client, "jfs is fastest") == [*LISTS]


@pytest.mark.parametrize("change", ["hide", "withdraw", "delete"])
def test_a_run_takes_the_answer_along(client: Client, owner: User, change: str) -> None:
    xfs = next(run for run in compared_runs(owner) if run.target.file_system == "xfs")
    answered()

    if change == "hide":
        edit(xfs, visibility=Visibility.PRIVATE, labels={})
    elif change == "withdraw":
        withdraw(xfs, "wrong disk")
    else:
        delete_run(xfs)

    assert lists_with(client, "xfs is") == []
    answered()
    assert lists_with(client, "xfs is") == []


def test_a_run_without_statistics_is_waited_for(client: Client, owner: User) -> None:
    RunState.objects.filter(pk=compared_runs(owner)[0].pk).update(state="received")

    assert answered() == 0


def test_what_cannot_be_compared_is_asked_once(client: Client, owner: User) -> None:
    shared = campaign()
    for _ in range(2):
        store_run(owner, results=[result([None] * 3, status="failed", error="disk full")], campaign=shared)

    assert answered() == 1
    assert Export.objects.get().state == Export.State.READY
    assert answered() == 0


def test_a_warning_stands_beside_the_answer(client: Client, owner: User) -> None:
    shared = campaign()
    for name in ("ext4", "xfs"):
        machine = {"name": f"box-{name}", "machine_id": str(len(name)) * 64}
        compared_runs(owner, {name: MEANS[name]}, campaign=shared, machine=machine)
    answered()

    _, (_, said, *_) = read(client.get("/compare/")).tables["Latest campaigns"]
    assert "xfs (box-xfs) is 20.0\xa0% faster than ext4 (box-ext4)" in said.text
    assert "Not only the file system differs: machine too" in said.text


def test_no_more_is_asked_for_than_may_wait(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_files, "MOST_WAITING_LIVE", 2)
    for _ in range(3):
        compared_runs(owner)

    assert campaign_answers.ask_answers() == 2


@pytest.mark.parametrize("path", LISTS)
def test_as_many_queries_for_one_campaign_as_for_many(client: Client, owner: User, path: str) -> None:
    def queries() -> int:
        client.get(path)  # keeps what the page shows of runs
        with CaptureQueriesContext(connection) as captured:
            client.get(path)
        return len(captured)

    compared_runs(owner)
    answered()
    few = queries()
    for _ in range(3):
        compared_runs(owner)
    answered()

    assert queries() == few
    assert Run.objects.count() == 12
