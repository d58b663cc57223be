"""An article's table against own runs: which runs, which figures, which words; test_small_plans.py has all tables."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.table.content import TableContent
from benchdb.publications.beside.own_runs import figures_of
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import values
from tests.support.documents import GIB, KIB, MIB, result, target
from tests.support.html import Page, read
from tests.support.store import make_user, store_run

pytestmark = pytest.mark.django_db

UNITS = {"throughput": "B/s", "rate": "op/s", "elapsed": "s", "user_time": "s", "system_time": "s"}
ROUNDS = 3
TABLE_2 = "/articles/iozone-2009/tables/table-2/beside/"


def measured(owner: User, table: TableContent, *, tool: str = "fsload", **fields: Any) -> Run:
    """An own run with all tests and metrics of a table, in other sizes."""
    results = [
        result(values(1e8, ROUNDS), test, metric, UNITS.get(metric, "ratio"), **fields)
        for test, metric in figures_of(table)
    ]
    work = {"tool": tool, "tool_version": "1", "command": [tool], "parameters": {"own": True}}
    return store_run(owner, rounds=ROUNDS, results=results, workload=work)


def page_at(client: Client, owner: User, address: str) -> tuple[str, Page]:
    """The headline of a page, and the page."""
    client.force_login(owner)
    answer = client.get(address)
    assert answer.status_code == 200
    return unwrapped(answer.context["headline"]), read(answer)


def unwrapped(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_others_see_all_listed_runs_and_a_reader_without_runs_the_plan(
    client: Client, loaded: dict[str, Publication]
) -> None:
    measured(make_user("bob"), frozen_tables(loaded["iozone-2009"])["table-2"], file_size=16 * GIB, record_size=MIB)

    with CaptureQueriesContext(connection) as queries:
        assert client.get(TABLE_2).context["headline"].startswith("The measured ext4 on epyc-2 writes ")
    assert not [query["sql"] for query in queries if '"runs_run"."rounds"' in query["sql"]]
    headline, mine = page_at(client, make_user("eve"), TABLE_2)
    assert headline.startswith("None of your runs measured what is in this table: Write; Rewrite; ")
    assert mine.links["Repeat the article’s plan"] == "/articles/iozone-2009/plan/"
    assert client.get("/articles/raid-2009/tables/nothing/beside/").status_code == 404


def test_article_and_run_pages_lead_to_the_comparison(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    run = store_run(owner)
    other = store_run(owner, results=[result([1.0] * 3, "mount", "elapsed", "s")])

    assert read(client.get(f"/runs/{run.id}/")).links["Compare with published figures"] == f"/runs/{run.id}/published/"
    assert TABLE_2 in client.get("/articles/iozone-2009/").content.decode()
    assert "No article has figures of these tests" in read(client.get(f"/runs/{other.id}/published/")).text


def run_of(owner: User, test: str, metric: str, measurements: Sequence[tuple[float, dict[str, Any]]]) -> Run:
    """An own run on ext4 with barriers, by iozone, of a test with these values and sizes."""
    placed = {**target(), "mount": {"point": "/mnt/test", "options": ["rw", "barrier=1"]}}
    results = [result([value] * ROUNDS, test, metric, UNITS[metric], **sizes) for value, sizes in measurements]
    work = {"tool": "iozone", "tool_version": "3", "command": ["iozone"], "parameters": {}}
    return store_run(owner, rounds=ROUNDS, results=results, target=placed, workload=work)


IN_128K = {"file_size": 10 * MIB, "record_size": 128 * KIB}
MEAN = (
    1_027_459 * KIB
)  # bytes a second of ext4 in the virtual machine, and the seconds of creating 10,000 files of 10 MiB
CREATED = 676.134


@pytest.mark.parametrize(
    ("place", "metric", "measurements", "said"),
    [
        (
            "iozone-2009/table-2/write",
            "throughput",
            [(1e9, {"file_size": 8 * MIB, "record_size": MIB})],
            "Your run cannot be compared: files of 8 MiB (1/1024 × memory, so in RAM) "
            "against 16 GiB (2 × memory) in the article",
        ),
        (
            "comparison-2024/vm-iozone/write",
            "throughput",
            [(MEAN, {"file_size": MIB, "record_size": KIB})],
            "Your run cannot be compared: the article’s figure is a mean over all record sizes and all files; "
            "your run has too few sizes",
        ),
        (
            "comparison-2024/vm-iozone/write",
            "throughput",
            [(factor * MEAN, {"file_size": factor * MIB, "record_size": factor * KIB}) for factor in (1, 3)],
            "Your ext4 on epyc-2 writes 2× faster than the article’s ext4",
        ),
        (
            "raid-2009/create/create",
            "elapsed",
            [(CREATED, IN_128K)],
            "Your run cannot be compared: the amount of work behind the time is unknown in your run",
        ),
        (
            "raid-2009/create/create",
            "elapsed",
            [(CREATED / 200, {**IN_128K, "params": {"files": 100}})],
            "Your ext4 on epyc-2 creates files 2× faster than the article’s ext4 (barrier, Fedora 10)",
        ),
    ],
    ids=["in RAM", "one size", "mean", "unknown amount", "rate"],
)
def test_a_figure_is_compared_with_the_same_mean_and_a_time_as_a_rate_or_the_page_says_why_not(
    client: Client,
    owner: User,
    loaded: dict[str, Publication],
    place: str,
    metric: str,
    measurements: list[tuple[float, dict[str, Any]]],
    said: str,
) -> None:
    slug, key, test = place.split("/")
    run_of(owner, test, metric, measurements)

    headline, page = page_at(client, owner, f"/articles/{slug}/tables/{key}/beside/")

    assert headline == said
    assert page.links["Repeat the article’s plan"] == f"/articles/{slug}/plan/"


def test_a_run_with_more_results_than_a_request_can_compare_is_refused(
    client: Client, owner: User, loaded: dict[str, Publication], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = measured(owner, frozen_tables(loaded["iozone-2009"])["table-2"], file_size=16 * GIB, record_size=MIB)
    monkeypatch.setattr("benchdb.publications.beside.page.MOST_RESULTS", 5)

    headline, _ = page_at(client, owner, f"/runs/{run.id}/published/")

    assert headline == "Your run cannot be compared: more than 5 results"
