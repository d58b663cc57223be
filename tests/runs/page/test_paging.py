"""`/runs/ID/` of a long run: the largest files first, one quantity at a time, and everything can be reached."""

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
from tests.texts import missing_in

RECORDS = [KIB << step for step in range(6)]


@pytest.fixture
def run(owner: User, monkeypatch: pytest.MonkeyPatch) -> Run:
    """36 results of a file size, its two metrics and two tests, on pages of eight cells: four rows; and a step."""
    monkeypatch.setattr(part, "MOST_WHOLE", 8)
    monkeypatch.setattr(part, "MOST_CELLS", 8)
    monkeypatch.setattr(part, "MOST_ROWS", 6)
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
    assert not missing_in(
        page.text,
        "9 of 49 results: 2 MiB, throughput, rows 1 to 4 of 6.",
        "Left out: 1 other file size, 1 other quantity. All of them: JSON",
    )
    assert {"Throughput 12", "Latency 12", "2 MiB 24", "1 MiB 24"} <= set(page.links)


def test_pages_have_one_file_size_or_several_with_few_rows(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, "MOST_WHOLE", 80)
    records = [KIB << step for step in range(13)]
    results = [
        result([1e8] * 3, test, file_size=MIB << power, record_size=record)
        for test in ("write", "read")
        for power in range(8)
        for record in (records if power in (5, 7) else records[:3])
    ]

    page = page_of(client, store_run(owner, results=results[::-1]).get_absolute_url())

    sizes = [text for text, href in page.links.items() if "size=" in href]
    assert sizes == ["128 MiB to 64 MiB 32", "32 MiB to 4 MiB 44", "2 MiB to 1 MiB 12"]
    seen = set()
    for text in sizes:
        part_of = page_of(client, page.links[text])
        seen |= {(group, row) for group, row in rows(part_of, "throughput")}
    assert len(seen) == 2 * 13 + 6 * 3


def test_steps_are_always_there(client: Client, run: Run) -> None:
    for query in ("", "?metric=latency&from=5", "?size=1M"):
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

    assert page.links["Later rows →"].endswith("?size=1M&metric=throughput&from=5&unit=KiB%2Fs#results")
    assert (page.fields["metric"], page.fields["size"]) == (["throughput"], ["1M"])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("size=3M", "2 MiB, throughput, rows 1 to 4"),
        ("size=<script>", "2 MiB, throughput, rows 1 to 4"),
        ("metric=<script>", "rows 1 to 4"),
        ("from=0", "rows 1 to 4"),
        ("from=x", "rows 1 to 4"),
        ("from=-5", "rows 1 to 4"),
        ("from=6", "rows 5 to 6"),
        ("from=999999999", "rows 5 to 6"),
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
        "Before you trust these numbers (2 MiB, throughput, rows 1 to 4 of 6)",
    )


def test_headlines_do_not_depend_on_the_page(client: Client, run: Run) -> None:
    first, other = (page_of(client, run.get_absolute_url() + query) for query in ("", "?size=1M&metric=latency"))

    assert "2 MiB file, 32 KiB records" in first.text.replace("\u00a0", " ")
    assert "2 MiB file, 32 KiB records" in other.text.replace("\u00a0", " ")


def test_a_short_run_is_whole(client: Client, owner: User) -> None:
    page: Any = read(client.get(store_run(owner).get_absolute_url()))

    assert "Left out" not in page.text
    assert {"results-throughput", "results-rate"} <= set(page.tables)


def test_what_a_document_calls_steps_by_the_thousand_has_parts_too(client: Client, owner: User, run: Run) -> None:
    steps = [result([1.0, 2.0, 3.0], f"step_{i}", "elapsed", "s") for i in range(20)]
    page = page_of(client, store_run(owner, results=steps).get_absolute_url())
    assert "20 of 20 results: elapsed, rows 1 to 1 of 1." in page.text
