"""`/runs/ID/` of a long run: the largest files first, at most 200 results, and everything can be reached."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run
from benchdb.runs.page import paging as part
from tests.support.documents import KIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import store_run
from tests.texts import missing_in

RECORDS = [KIB << step for step in range(6)]


@pytest.fixture
def run(owner: User, monkeypatch: pytest.MonkeyPatch) -> Run:
    """36 results of a file size, its two metrics and two tests, on pages of eight cells: four rows; and a step."""
    monkeypatch.setattr(part, "MOST_FIRST", 8)
    return store_run(owner, results=[*_grid(), result([1.0, 2.0, 3.0], "mkfs", "elapsed", "s")])


def _grid() -> list[dict[str, Any]]:
    return [
        result([1e8, 1.1e8, 1e8], test, metric, unit, file_size=MIB << power, record_size=record)
        for test in ("write", "read")
        for metric, unit in (("throughput", "B/s"), ("latency_p99", "s"))
        for power in range(2)
        for record in RECORDS
    ]


def page_of(client: Client, address: str) -> Page:
    return read(client.get(address.partition("#")[0]))


def rows(page: Page, table: str) -> list[tuple[str, str]]:
    return list(dict.fromkeys((group, row) for group, row, _ in page.values(f"results-{table}")))


def test_it_begins_with_the_throughput_of_the_largest_file(client: Client, run: Run) -> None:
    page = page_of(client, run.get_absolute_url())

    assert len(rows(page, "throughput")) == 4
    assert {row.partition(" ")[0] for _, row in rows(page, "throughput")} == {"2\u00a0MiB"}
    assert "results-latency" not in page.tables
    assert "9 of 49 results: rows 1 to 4 of 12. Left out: latency 24. Show all" in page.text
    assert page.links["latency"] == f"{run.get_absolute_url()}?metric=latency#results"


def test_more_results_than_fit_at_once_are_counted(client: Client, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part, "MOST_AT_ONCE", 12)

    page = page_of(client, page_of(client, run.get_absolute_url()).links["Show 12 at once"])

    assert "13 of 49 results: rows 1 to 6 of 12. Left out: latency 24." in page.text


def test_all_results_are_one_click_away(client: Client, run: Run) -> None:
    page = page_of(client, page_of(client, f"{run.get_absolute_url()}?unit=KiB/s").links["Show all"])

    assert len(page.values("results-throughput")) == len(page.values("results-latency")) == 24
    assert (page.fields["results"], "Left out" in page.text) == (["all"], False)


def test_at_first_there_are_200_results_in_few_bytes(client: Client, owner: User) -> None:
    results = [
        result([1e8] * 3, f"test_{test}", file_size=MIB << size, record_size=KIB << record)
        for test in range(13)
        for size in range(10)
        for record in range(10)
    ]
    answer = client.get(store_run(owner, results=results).get_absolute_url())

    assert len(read(answer).values("results-throughput")) == 13 * 15 <= part.MOST_FIRST
    assert len(answer.content) < 150_000


def test_steps_are_always_there(client: Client, run: Run) -> None:
    for query in ("", "?metric=latency&from=5", "?size=1M", "?results=all"):
        assert "results-times" in page_of(client, run.get_absolute_url() + query).tables


@pytest.mark.parametrize("metric", ["throughput", "latency"])
def test_links_lead_through_every_row_once(client: Client, run: Run, metric: str) -> None:
    seen = []
    for size in ("2M", "1M"):
        page = page_of(client, f"{run.get_absolute_url()}?size={size}&metric={metric}")
        seen += page.values(f"results-{metric}")
        while later := page.links.get("Later rows →"):
            page = page_of(client, later)
            seen += page.values(f"results-{metric}")
        assert "← Earlier rows" in page.links

    assert len(seen) == len(set(seen)) == 24


def test_the_unit_stays(client: Client, run: Run) -> None:
    page = page_of(client, f"{run.get_absolute_url()}?size=1M&metric=throughput&unit=KiB/s")

    assert page.links["Later rows →"].endswith("?size=1M&metric=throughput&unit=KiB%2Fs&from=5#results")
    chosen = {attributes["value"] for tag, attributes in page.elements if tag == "option" and "selected" in attributes}
    assert chosen == {"KiB/s", "1M", "throughput"}


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("size=3M", "rows 1 to 4 of 12"),
        ("size=<script>", "rows 1 to 4 of 12"),
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


def test_failures_are_those_of_all_results_and_warnings_those_of_the_page(
    client: Client, owner: User, run: Run
) -> None:
    failed = result(
        [None] * 3, "random_write", status="failed", error="No space left", file_size=64 * KIB, record_size=KIB
    )

    page = page_of(client, store_run(owner, results=[*_grid(), failed]).get_absolute_url())

    assert "Random write, 64 KiB file, 1 KiB records failed: No space left" in page.text.replace("\u00a0", " ")
    assert not missing_in(
        page.text,
        "8 results of throughput measured memory",
        "Before you trust these numbers (rows 1 to 4 of 13)",
    )


def test_headlines_do_not_depend_on_the_page(client: Client, run: Run) -> None:
    first, other = (page_of(client, run.get_absolute_url() + query) for query in ("", "?size=1M&metric=latency"))

    assert all("2 MiB file, 32 KiB records" in page.text.replace("\u00a0", " ") for page in (first, other))


def test_a_short_run_is_whole(client: Client, owner: User) -> None:
    page: Any = read(client.get(store_run(owner).get_absolute_url()))

    assert ("Left out" in page.text, {"results-throughput", "results-rate"} - set(page.tables)) == (False, set())


def test_what_a_document_calls_steps_by_the_thousand_has_parts_too(client: Client, owner: User, run: Run) -> None:
    steps = [result([1.0, 2.0, 3.0], "step", "elapsed", "s", threads=i) for i in range(1, 21)]
    page = page_of(client, store_run(owner, results=steps).get_absolute_url())
    assert "8 of 20 results: rows 1 to 8 of 20." in page.text
