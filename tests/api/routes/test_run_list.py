"""`GET /api/v1/runs`."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.ingest.models import Scope
from benchdb.runs.listing import search
from tests.support.api import error_of
from tests.support.comparing.comparisons import compared_runs
from tests.support.documents import bonnie_document, document, iozone_document
from tests.support.store import make_token, make_user, store_run

ADDRESS = "/api/v1/runs"


def test_it_lists_what_was_measured_where_and_when_newest_first(owner: User, client: Client) -> None:
    first = store_run(owner, document(visibility="public", labels={"rack": "4"}))
    second = store_run(owner, iozone_document(visibility="public"))

    answer = client.get(ADDRESS).json()

    assert (answer["total"], answer["next"]) == (2, None)
    assert [run["run_id"] for run in answer["runs"]] == [str(second.pk), str(first.pk)]
    listed = answer["runs"][1]
    assert listed["url"] == f"http://testserver/runs/{first.pk}/"
    assert {name: listed[name] for name in ("tool", "file_system", "machine", "kernel", "labels", "state")} == {
        "tool": first.tool,
        "file_system": first.target.file_system,
        "machine": first.machine.name,
        "kernel": first.environment.kernel_release,
        "labels": {"rack": "4"},
        "state": "ready",
    }
    assert listed["label"].startswith(f"{first.tool} on {first.target.file_system}")


def test_filters_are_those_of_the_page(owner: User, client: Client) -> None:
    store_run(owner, document(visibility="public"))
    wanted = store_run(owner, bonnie_document(visibility="public"))

    answer = client.get(ADDRESS, {"tool": "bonnie++"}).json()

    assert [run["run_id"] for run in answer["runs"]] == [str(wanted.pk)]


def test_runs_of_a_campaign_are_listed_one_by_one(owner: User, client: Client) -> None:
    runs = compared_runs(owner)
    assert {run["run_id"] for run in client.get(ADDRESS).json()["runs"]} == {str(run.pk) for run in runs}


def test_next_leads_through_all_runs(owner: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PAGE", 2)
    runs = {str(store_run(owner, document(visibility="public")).pk) for _ in range(5)}

    found, query = list[str](), ""
    while query is not None:
        answer = client.get(f"{ADDRESS}?{query}").json()
        found += [run["run_id"] for run in answer["runs"]]
        query = answer["next"]

    assert (len(found), set(found), answer["total"]) == (5, runs, 5)


def test_private_runs_need_their_owners_token(owner: User, client: Client) -> None:
    store_run(owner, document(visibility="private"))
    own, other = (make_token(user, Scope.READ)[1] for user in (owner, make_user("eve")))

    totals = [
        client.get(ADDRESS, headers={"Authorization": f"Bearer {secret}"} if secret else {}).json()["total"]
        for secret in (own, other, "")
    ]

    assert totals == [1, 0, 0]


def test_every_faulty_filter_is_refused(client: Client) -> None:
    answer = client.get(ADDRESS, {"colour": "red", "memory_min": "much"})

    faults = [fault["expected"] for fault in error_of(answer, 422)["faults"]]
    assert faults == [
        "There is no filter colour.",
        "The filter “memory min” cannot be “much”. It is a size such as 64K or 8G.",
    ]


def test_more_runs_need_no_more_queries(owner: User, client: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(ADDRESS).status_code == 200
        return len(captured)

    store_run(owner, document(visibility="public"))
    store_run(owner, bonnie_document(visibility="public"))
    queries()  # fills caches of what runs share
    two = queries()
    for _ in range(3):
        store_run(owner, document(visibility="public"))
        store_run(owner, bonnie_document(visibility="public"))

    assert queries() == two
