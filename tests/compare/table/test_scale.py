"""A table needs the same queries with ten stored runs and with ten thousand, and none scans a whole table."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchagent.formats.vocabulary import IOZONE_TESTS
from benchdb.compare.query.selection import MOST_RUNS
from benchdb.runs.models import KeptPart, Run, RunState
from tests.support.campaigns import of_point, store_campaign
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.html import read
from tests.support.many import copy_run
from tests.support.store import store_run

FILE_SYSTEMS = ("ext4", "xfs", "btrfs", "f2fs")
RECORD_SIZES = (4 * KIB, 64 * KIB, MIB, 16 * MIB)
MOST_QUERIES = 9
STORED = 10_000
BIG = ("runs_run", "runs_runstate", "runs_result", "runs_summary", "runs_parse")


def measured_run(owner: User, file_system: str) -> Run:
    """13 tests × 4 record sizes × 3 rounds."""
    results = [
        result([100.0 * MIB, 101.0 * MIB, 99.5 * MIB], test, file_size=32 * GIB, record_size=size)
        for size in RECORD_SIZES
        for test in IOZONE_TESTS
    ]
    return store_run(owner, file_system=file_system, results=results)


def queries(client: Client, address: str) -> list[str]:
    """The SQL statements of a page for its first reader."""
    caches["overviews"].clear()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return [each["sql"] for each in captured.captured_queries]


@pytest.fixture
def table(owner: User) -> str:
    """The address of a table of 4 runs × 13 tests × 4 record sizes."""
    chosen = "&".join(f"run={measured_run(owner, each).pk}" for each in FILE_SYSTEMS)
    tests = "&".join(f"test={each}" for each in IOZONE_TESTS)
    return f"/compare/?{chosen}&{tests}&rows=file_system&columns=test&split=record_size&metric=throughput"


def test_ten_thousand_stored_runs_take_no_more_queries_than_ten(client: Client, owner: User, table: str) -> None:
    pages = (table, "/runs/", "/runs/?fs=ext4", Run.objects.latest("id").get_absolute_url())
    pages = tuple(page.replace("fs=", "file_system=") for page in pages)
    client.get("/runs/")  # reads the row of `Facets`, which each process of the web server reads once
    at_ten = [len(queries(client, page)) for page in pages]
    with connection.cursor() as cursor:
        copy_run(cursor, Run.objects.earliest("id").pk, STORED - len(FILE_SYSTEMS), results=len(IOZONE_TESTS))
    assert Run.objects.count() == STORED
    KeptPart.objects.all().delete()

    statements = [queries(client, page) for page in pages]

    assert [len(page_statements) for page_statements in statements] == at_ten
    assert at_ten[0] <= MOST_QUERIES, "\n".join(statements[0])
    for page, sqls in zip(pages, statements, strict=True):
        for sql in sqls:
            assert not read_whole(sql, own_ids="/runs/?" not in page and page != "/runs/"), f"{page}: {sql}"
    assert "runs_by_statistics" in RunState.objects.outdated()[:10].explain()


def read_whole(sql: str, *, own_ids: bool) -> set[str]:
    """The large tables that a query reads as a whole."""
    if not sql.lstrip().upper().startswith(("SELECT", "WITH")):
        return set()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        (explained,) = cursor.fetchone()
    (plan,) = json.loads(explained) if isinstance(explained, str) else explained
    scanned = {node["Relation Name"] for node in nodes(plan["Plan"]) if node["Node Type"] == "Seq Scan"}
    big = BIG if own_ids else ("runs_result", "runs_summary")
    return scanned.intersection(big)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)


def test_a_campaign_of_more_runs_than_a_table_holds_leads_to_the_list_of_them(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    run = store_run(owner, campaign=of_point(campaign.pk, "ext4/iozone"))
    with connection.cursor() as cursor:
        copy_run(cursor, run.pk, MOST_RUNS)

    page = read(client.get(f"/compare/?campaign={campaign.pk}"), 400)
    campaign_page = read(client.get(campaign.get_absolute_url()))

    assert f"A table holds {MOST_RUNS} runs, and these are {MOST_RUNS + 1}." in page.text
    assert page.links["Runs of the campaign"] == campaign_page.links["Its runs"] == f"/runs/?campaign={campaign.pk}"
    assert "Compare its runs" not in campaign_page.links


def test_what_filters_leave_of_a_large_campaign_is_compared(client: Client, owner: User) -> None:
    campaign = store_campaign(owner)
    run = store_run(owner, campaign=of_point(campaign.pk, "ext4/iozone"))
    store_run(owner, campaign=of_point(campaign.pk, "ext4/iozone"), file_system="xfs")
    with connection.cursor() as cursor:
        copy_run(cursor, run.pk, MOST_RUNS)

    page = read(client.get(f"/compare/?campaign={campaign.pk}&file_system=xfs"))

    assert [row[0].text for row in page.tables["Runs in this table"][1:]] == ["xfs"]
