"""`/response/`: picture and table have the same numbers, and every link leads on."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from tests.support.comparing.comparisons import ids, unknown_id
from tests.support.comparing.responses import LEVELS, response_runs
from tests.support.html import Page, read

pytestmark = pytest.mark.django_db


def page_of(client: Client, query: str, status: int = 200) -> Page:
    return read(client.get(f"/response/?{query}"), status)


def test_picture_and_table_have_the_same_numbers(client: Client, owner: User) -> None:
    page = page_of(client, ids(response_runs(owner)))

    marks = [found["data-cell"] for tag, found in page.elements if tag == "a" and found.get("tabindex") == "-1"]
    assert marks == [f"c{curve}-{point}-1" for curve in range(2) for point in range(len(LEVELS))]
    details = page.scripts["response-details"]
    assert details["c0-3-0"]["headline"].endswith("MiB/s")
    assert details["c0-3-1"]["title"].endswith("ext4 · 8 threads")
    assert sum(tag == "circle" and found.get("r") == "9" for tag, found in page.elements) == 2
    assert "knee at 8 threads (95 % interval: 4 to 16 threads)." in page.text
    assert [row[0].text for row in page.tables["response"] if row[0].text.startswith("8 thread")] == [
        "8 threads knee",
        "8 threads",
    ]


def test_links_lead_to_other_latencies_and_to_the_table(client: Client, owner: User) -> None:
    page = page_of(client, ids(response_runs(owner)))
    assert "Latency, 99th percentile" in read(client.get(page.links["99th percentile"])).text
    table = client.get(page.links["Compare in a table"])
    assert table.status_code == 200
    assert [group.label for group in table.context["table"].groups] == ["throughput", "latency, mean"]


def test_the_table_of_such_runs_links_to_their_curves(client: Client, owner: User) -> None:
    runs = response_runs(owner)
    page = read(client.get(f"/compare/?{ids(runs)}"))
    assert "ext4: knee at 8 threads" in page_of(client, page.links["Response curves"].partition("?")[2]).text
    assert "Response curves" not in read(client.get(f"/compare/?{ids(runs[:2])}")).links


def test_the_form_keeps_what_still_fits(client: Client, owner: User) -> None:
    query = f"{ids(response_runs(owner, {'ext4': 8}))}&over=threads&unit=MB/s&{EARLIER_CHOICES}="
    answer = client.get(f"/response/?{query}")
    assert answer.status_code == 302
    assert "over=threads" in answer["Location"]
    assert page_of(client, answer["Location"].partition("?")[2]).text.count("MB/s")


def test_what_is_not_there_and_what_is_impossible(client: Client) -> None:
    assert page_of(client, f"run={unknown_id()}", 404)
    assert "Choose runs" in page_of(client, "", 400).text


def test_the_number_of_queries_does_not_grow(client: Client, owner: User) -> None:
    def queries(knees: dict[str, float], levels: tuple[int, ...]) -> int:
        address = f"/response/?{ids(response_runs(owner, knees, levels))}"
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    assert queries({"ext4": 8}, (1, 2)) == queries({"ext4": 8, "xfs": 4, "btrfs": 2}, LEVELS)
