"""Published tables and runs of the same tests lead to one comparison; test_small_plans.py has all tables."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.publications.beside import figures_of
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import values
from tests.support.documents import result
from tests.support.html import read
from tests.support.store import make_user, store_run

pytestmark = pytest.mark.django_db

UNITS = {"throughput": "B/s", "rate": "op/s", "elapsed": "s", "user_time": "s", "system_time": "s"}
ROUNDS = 3


def measured(owner: User, table: TableContent, *, tool: str = "fsload", **fields: Any) -> Run:
    """An own run with all tests and metrics of a table, in other sizes."""
    results = [
        result(values(1e8, ROUNDS), test, metric, UNITS.get(metric, "ratio"), **fields)
        for test, metric in figures_of(table)
    ]
    work = {"tool": tool, "tool_version": "1", "command": [tool], "parameters": {"own": True}}
    return store_run(owner, rounds=ROUNDS, results=results, workload=work)


def followed(client: Client, owner: User, address: str) -> TableContent:
    """The table that the address redirects to."""
    answer = client.get(address)
    assert answer.status_code == 302, answer.content
    path = urlsplit(answer["Location"])
    page = client.get(answer["Location"])
    assert page.status_code == 200, read(page, 400).text
    return evaluate(Selection.parse(path.query), owner)[0]


def test_a_run_leads_to_the_published_figures_of_its_tests(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    own = measured(owner, frozen_tables(loaded["raid-2009"])["mkfs"])

    content = followed(client, owner, f"/runs/{own.id}/published/")

    assert {part.cell.test for part in cells(content)} == {"mkfs"}
    assert len(content.runs) > 1


def test_a_run_of_other_tests_has_a_page_that_says_so(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    run = store_run(owner, results=[result([1.0] * 3, "mount", "elapsed", "s")])

    page = read(client.get(f"/runs/{run.id}/published/"))

    assert "No article has figures of these tests" in page.text


def test_a_reader_without_such_runs_is_led_to_the_plan(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    measured(make_user("bob"), frozen_tables(loaded["raid-2009"])["mkfs"])
    client.force_login(owner)

    page = read(client.get("/articles/raid-2009/tables/mkfs/beside/"))

    assert "None of your runs measured what is in" in page.text
    assert page.links["Run the plan of this article"] == "/articles/raid-2009/plan/"
    assert client.get("/articles/raid-2009/tables/nothing/beside/").status_code == 404


def test_somebody_who_is_not_signed_in_compares_with_all_listed_runs(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    own = measured(owner, frozen_tables(loaded["raid-2009"])["mkfs"])

    content = followed(client, owner, "/articles/raid-2009/tables/mkfs/beside/")

    assert str(own.id) in content.runs


def test_article_and_run_pages_lead_to_the_comparison(
    client: Client, owner: User, loaded: dict[str, Publication]
) -> None:
    run = store_run(owner)

    assert read(client.get(f"/runs/{run.id}/")).links["Compare with published figures"] == f"/runs/{run.id}/published/"
    assert "/articles/raid-2009/tables/mkfs/beside/" in client.get("/articles/raid-2009/").content.decode()
