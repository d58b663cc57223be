"""Published tables and runs of the same tests lead to one comparison; test_small_plans.py has all tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.publications.beside import MOST_SIZES, figures_of
from benchdb.publications.common_sizes import common_sizes
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import NAMES, Column, Quantities, QuantityPlaces
from tests.support.comparing.comparisons import values
from tests.support.documents import GIB, MIB, result
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


class CountingSize(int):
    """A file size that counts how often one is looked up."""

    looked_up = 0

    def __hash__(self) -> int:
        CountingSize.looked_up += 1
        return int.__hash__(self)


def test_sizes_take_time_in_proportion_to_their_number(
    loaded: dict[str, Publication], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to its square, by which one address kept a thread busy for minutes."""
    placed = [place.cell for place in cells(frozen_tables(loaded["raid-2009"])["mkfs"])]
    of_article = [replace(cell, file_size=GIB) for cell in placed]
    sizes = [CountingSize(number * MIB) for number in range(1, 1001)]
    entries: dict[str, list[Any]] = {name: [None] * 1000 for name in NAMES} | {
        "file_size": sizes,
        "test": ["mkfs"] * 1000,
    }
    own = UUID(int=1)
    everything = np.arange(1000)
    quantities = Quantities(
        {name: Column.of(column) for name, column in entries.items()},
        np.ones(1000, dtype=np.int64),
        [QuantityPlaces([own], everything, everything)],
    )
    memory: dict[UUID, int | None] = {own: 512 * MIB} | {UUID(run): 512 * MIB for cell in placed for run in cell.runs}
    monkeypatch.setattr(CountingSize, "looked_up", 0)

    found = common_sizes(of_article, quantities, quantities.everything(), memory)

    assert CountingSize.looked_up < 100 * len(sizes)
    assert found.own.any()


def test_an_address_has_few_sizes(client: Client, owner: User, loaded: dict[str, Publication]) -> None:
    table = frozen_tables(loaded["raid-2009"])["mkfs"]
    (test, metric), *_ = figures_of(table)
    results = [
        result(values(1e8, ROUNDS), test, metric, UNITS.get(metric, "ratio"), params={"p": number})
        for number in range(MOST_SIZES + 1)
    ]
    run = store_run(owner, rounds=ROUNDS, results=results)

    answer = client.get(f"/runs/{run.id}/published/")

    assert answer.status_code == 302
    assert "params" not in answer["Location"]
    assert client.get(answer["Location"]).status_code == 200
