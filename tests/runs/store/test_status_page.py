"""`/status/`, and notices on other pages while statistics are recomputed."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchagent.formats import PARSER_VERSION
from benchdb.runs.models import Parse, Result, RunState
from benchdb.runs.tasks import recompute
from benchdb.stats import STATISTICS_VERSION
from tests.support.documents import iozone_document
from tests.support.html import parse
from tests.support.store import PREVIOUS, computed_before, make_user, store_run
from tests.texts import missing_in


@pytest.fixture
def staff(client: Client, db: None) -> Client:
    client.force_login(make_user("root", is_staff=True))
    return client


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(parse(answer.content.decode()).text.split())


def test_it_says_how_far_the_workers_are(staff: Client, owner: User) -> None:
    runs = [store_run(owner) for _ in range(3)]
    computed_before(runs[:2])
    RunState.objects.filter(pk=runs[2].pk).update(state="computing")

    text = text_of(staff, "/status/")

    assert not missing_in(
        text,
        f"0 of 3 runs have statistics version {STATISTICS_VERSION}",
        "2 runs show the figures of an older version",
        "computing 1 ready 2",
    )


def test_it_loads_anew_only_as_long_as_there_is_work(staff: Client, owner: User) -> None:
    computed_before([store_run(owner)])
    page = staff.get("/status/").content.decode()
    assert 'http-equiv="refresh"' in page
    before = staff.get("/status/?version").json()
    assert before["state"] == "working"
    assert f'data-poll="?version" data-state="{before["version"]}"' in page

    recompute([str(run_id) for run_id in RunState.objects.values_list("pk", flat=True)])

    answer = staff.get("/status/")
    assert b'http-equiv="refresh"' not in answer.content
    after = staff.get("/status/?version").json()
    assert after["state"] == "idle"
    assert after["version"] != before["version"]
    assert f"1 of 1 runs have statistics version {STATISTICS_VERSION}".encode() in answer.content


def test_it_says_which_raw_output_an_older_parser_read(staff: Client, owner: User) -> None:
    store_run(owner, iozone_document())
    assert "1 runs were read by older parsers" in text_of(staff, "/status/")

    Parse.objects.update(checked_by=PARSER_VERSION, refusal="the raw output is not kept.")

    text = text_of(staff, "/status/")
    assert not missing_in(
        text, f"All runs were read by parser version {PARSER_VERSION}", "1 runs could not be read again"
    )


def test_it_takes_the_same_queries_for_any_number_of_runs(
    staff: Client, owner: User, django_assert_num_queries: Any
) -> None:
    for _ in range(2):
        computed_before([store_run(owner) for _ in range(3)])
        with django_assert_num_queries(5):  # two of them for the session and the user
            staff.get("/status/")


def test_the_list_leads_there(staff: Client, owner: User) -> None:
    store_run(owner)
    assert b'href="/status/"' in staff.get("/runs/").content
    staff.logout()
    assert b'href="/status/"' not in staff.get("/runs/").content


def test_it_is_for_staff(client: Client, owner: User) -> None:
    assert client.get("/status/").headers["Location"] == "/login/?next=/status/"
    client.force_login(owner)
    assert client.get("/status/").status_code == 403


def test_the_list_says_that_statistics_are_computed_again(client: Client, owner: User) -> None:
    runs = [store_run(owner) for _ in range(3)]
    assert "is being computed" not in text_of(client, "/runs/")

    computed_before(runs[:2])

    assert f"Statistics version {STATISTICS_VERSION} is being computed for all runs; 33 % have it." in text_of(
        client, "/runs/"
    )


def test_a_run_says_which_statistics_it_shows(client: Client, owner: User) -> None:
    run = store_run(owner)
    assert f"statistics {STATISTICS_VERSION} " in text_of(client, run.get_absolute_url())
    computed_before([run])

    text = text_of(client, run.get_absolute_url())

    assert f"statistics {PREVIOUS}; version {STATISTICS_VERSION} is being computed" in text


def test_a_run_whose_new_statistics_failed_shows_the_older_ones(client: Client, owner: User) -> None:
    run = store_run(owner)
    computed_before([run])
    Result.objects.filter(run=run, ordinal=0).update(values=[1.0])
    recompute([str(run.pk)])

    text = text_of(client, run.get_absolute_url())

    assert not missing_in(
        text,
        f"The statistics failed: Statistics version {STATISTICS_VERSION} failed: ValueError",
        f"statistics {PREVIOUS}; version {STATISTICS_VERSION} failed",
    )


def test_the_api_gives_the_version_of_each_figure(client: Client, owner: User) -> None:
    run = store_run(owner)
    computed_before([run])

    results = client.get(f"/api/v1/runs/{run.pk}").json()["results"]

    assert [entry["statistics_version"] for entry in results] == [PREVIOUS] * 3
