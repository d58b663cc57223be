"""`/runs/ID/` of a long run: one quantity at a time, in pages, and everything can be reached."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run
from benchdb.runs.page import paging as part
from tests.support.documents import KIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import store_run

RECORDS = [KIB << step for step in range(6)]


@pytest.fixture
def run(owner: User, monkeypatch: pytest.MonkeyPatch) -> Run:
    """36 results of two metrics and a step, on pages of eight cells: four rows of two tests."""
    monkeypatch.setattr(part, "MOST_CELLS", 8)
    results = [
        result([1e8, 1.1e8, 1e8], test, metric, unit, file_size=MIB << power, record_size=record)
        for test in ("write", "read")
        for metric, unit in (("throughput", "B/s"), ("latency_p99", "s"))
        for power in range(2)
        for record in RECORDS
    ]
    return store_run(owner, results=[*results, result([1.0, 2.0, 3.0], "mkfs", "elapsed", "s")])


def page_of(client: Client, address: str) -> Page:
    return read(client.get(address.partition("#")[0]))


def rows(page: Page, metric: str) -> list[tuple[str, str]]:
    return list(dict.fromkeys((group, row) for group, row, _ in page.values(f"results-{metric}")))


def test_it_begins_with_the_throughput_and_says_what_else_there_is(client: Client, run: Run) -> None:
    page = page_of(client, run.get_absolute_url())

    assert len(rows(page, "throughput")) == 4
    assert "results-latency_p99" not in page.tables
    assert "49 results; here rows 1 to 4 of 12." in page.text
    assert {"Throughput 24", "Latency, 99th percentile 24"} <= set(page.links)


def test_steps_are_always_there(client: Client, run: Run) -> None:
    for query in ("", "?metric=latency_p99&from=9"):
        assert "results-times" in page_of(client, run.get_absolute_url() + query).tables


@pytest.mark.parametrize("metric", ["throughput", "latency_p99"])
def test_links_lead_through_every_row_once(client: Client, run: Run, metric: str) -> None:
    page = page_of(client, f"{run.get_absolute_url()}?metric={metric}")
    seen = rows(page, metric)
    while later := page.links.get("Later rows →"):
        page = page_of(client, later)
        seen += rows(page, metric)

    assert len(seen) == len(set(seen)) == 12
    assert page.links["← Earlier rows"].endswith(f"?metric={metric}&from=5#results")


def test_the_unit_stays(client: Client, run: Run) -> None:
    page = page_of(client, f"{run.get_absolute_url()}?metric=throughput&from=5&unit=KiB/s")

    assert "unit=KiB%2Fs" in page.links["Later rows →"]
    assert page.fields["metric"] == ["throughput"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("metric=<script>", "rows 1 to 4"),
        ("from=0", "rows 1 to 4"),
        ("from=x", "rows 1 to 4"),
        ("from=-5", "rows 1 to 4"),
        ("from=6", "rows 5 to 8"),
        ("from=999999999", "rows 9 to 12"),
        ("from=99999999999999999999", "rows 1 to 4"),
    ],
)
def test_what_cannot_be_falls_back(client: Client, run: Run, query: str, said: str) -> None:
    assert said in page_of(client, f"{run.get_absolute_url()}?{query}").text


def test_warnings_are_of_all_results(client: Client, run: Run) -> None:
    page = page_of(client, f"{run.get_absolute_url()}?metric=latency_p99&from=9")

    assert "24 results of throughput measured memory" in page.text


def test_a_short_run_is_whole(client: Client, owner: User) -> None:
    page: Any = read(client.get(store_run(owner).get_absolute_url()))

    assert "here rows" not in page.text
    assert {"results-throughput", "results-rate"} <= set(page.tables)


def test_what_a_document_calls_steps_by_the_thousand_has_parts_too(client: Client, owner: User, run: Run) -> None:
    steps = [result([1.0, 2.0, 3.0], f"step_{i}", "elapsed", "s") for i in range(20)]
    page = page_of(client, store_run(owner, results=steps).get_absolute_url())
    assert "20 results; here rows 1 to 1 of 1." in page.text
