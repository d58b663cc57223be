"""`/trend/`: the chart, the change points and the table of runs show the same data."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from tests.support.comparing.comparisons import unknown_id, values
from tests.support.comparing.trends import NEW, OLD, run_of_day, upgraded
from tests.support.documents import MIB, result, target
from tests.support.html import Page, read
from tests.texts import missing_in


def trend_of(client: Client, query: str, status: int = 200) -> Page:
    return read(client.get(f"/trend/?{query}"), status)


def points(page: Page) -> list[str | None]:
    """The keys of the drawn runs, from the links in the picture."""
    return [found["data-cell"] for tag, found in page.elements if tag == "a" and found.get("tabindex") == "-1"]


def test_chart_and_table_have_the_same_numbers(client: Client, owner: User) -> None:
    runs = upgraded(owner)
    page = trend_of(client, f"run={runs[0].id}")

    rows = [row for row in page.tables["trend"][1:] if len(row) > 1]
    assert points(page) == [f"p0-{i}" for i in range(16)]
    details = page.scripts["trend-details"]
    assert [row[1].text for row in reversed(rows)] == [
        details[key]["headline"].removesuffix(" MiB/s") for key in points(page)
    ]
    assert rows[0][1].href == f"/runs/{runs[-1].id}/results/0/"
    assert [row[0].href for row in rows] == [f"/runs/{run.id}/" for run in reversed(runs)]
    assert [row[2].text for row in rows] == [NEW] * 8 + [OLD] * 8
    assert details["p0-0"]["mean"] == pytest.approx(100)
    assert sum(attributes.get("class") == "level" for _, attributes in page.elements) == 2


def test_change_points_stand_above_with_what_changed_there(client: Client, owner: User) -> None:
    page = trend_of(client, f"run={upgraded(owner)[0].id}&test=random_write")

    assert not missing_in(
        page.text,
        "▼ Throughput of random write: 12.0 % slower",
        f"from 28 Nov 2026 on; changed there: kernel {OLD} → {NEW}.",
    )
    (event,) = [row for row in page.tables["trend"] if len(row) == 1]
    assert event[0].text.startswith("▼ 12.0 % slower")
    assert event[0].text.endswith(f"changed here: kernel {OLD} → {NEW}")
    assert "From one run to the next the figure varies by" in page.text


def test_a_series_without_a_change_says_so(client: Client, owner: User) -> None:
    runs = [run_of_day(owner, day, MIB) for day in range(7)]
    assert "No change point in 7 runs." in trend_of(client, f"run={runs[0].id}").text


def test_several_file_systems_are_groups_of_one_table(client: Client, owner: User) -> None:
    run = upgraded(owner, 1, 1)[0]
    upgraded(owner, 1, 1, file_system="xfs")
    page = trend_of(client, f"run={run.id}&file_system=ext4&file_system=xfs")

    assert [row[0].text for row in page.tables["trend"] if row[0].text in ("ext4", "xfs")] == ["ext4", "xfs"]
    assert points(page) == ["p0-0", "p0-1", "p1-0", "p1-1"]
    assert "throughput, MiB/s ↑ ext4 xfs" in page.text
    assert page.fields["file_system"] == ["ext4", "xfs"]


def test_settings_that_others_have_can_be_let_in(client: Client, owner: User) -> None:
    run = run_of_day(owner, 0, MIB)
    run_of_day(owner, 1, MIB, target={**target(), "read_ahead": 4 * MIB})
    page = trend_of(client, f"run={run.id}")

    wider = trend_of(client, urlsplit(page.links["1 more on ext4 with other read-ahead"]).query)
    assert len(points(wider)) == 2
    assert "changed here: read-ahead 2 MiB → 4 MiB" in wider.text
    assert "vary" not in wider.links["other read-ahead too ✕"]


def test_another_test_leaves_its_file_size_open(client: Client, owner: User) -> None:
    results = [result(values(1.0 * MIB), "write", file_size=MIB), result(values(9.0), "mkfs", "elapsed", "s")]
    run = run_of_day(owner, 0, 1, results=results)
    page = trend_of(client, f"run={run.id}&unit=KiB/s&by=kernel")
    sent = {"run": run.id, "by": "kernel", "metric": "elapsed", "unit": "KiB/s", "file_size": "1M"}

    answer = client.get("/trend/", {**sent, EARLIER_CHOICES: page.fields[EARLIER_CHOICES][0]})

    assert answer.status_code == 302
    assert parse_qs(urlsplit(answer["Location"]).query) == {
        "run": [str(run.id)],
        "by": ["kernel"],
        "metric": ["elapsed"],
    }
    assert "mkfs over kernels" in trend_of(client, urlsplit(answer["Location"]).query).text


@pytest.mark.parametrize(
    ("query", "status", "fault"),
    [
        ("", 400, "Name a run (run=ID, as in the addresses of runs) or a machine (machine=NUMBER)."),
        ("run={run}&by=phase&colour=red", 400, "By cannot be"),
        ("run={run}&test=read", 400, "No result has test Read; possible are Write, Random write."),
        ("run={run}&file_system=zfs", 400, "possible are ext4"),
        ("run={unknown}", 404, "There is no run"),
        ("machine=99999", 404, "There is no run on machine 99999"),
    ],
)
def test_what_cannot_be_shown_says_so(client: Client, owner: User, query: str, status: int, fault: str) -> None:
    names = {"run": run_of_day(owner, 0, MIB).id, "unknown": unknown_id()}
    assert fault in trend_of(client, query.format(**names), status).text


def test_runs_results_and_lists_lead_to_the_trend(client: Client, owner: User) -> None:
    run = run_of_day(owner, 0, MIB)

    of_run = read(client.get(f"/runs/{run.id}/")).links["Over time"]
    of_result = read(client.get(f"/runs/{run.id}/results/1/")).links["Over time"]

    of_machine = read(client.get(f"/runs/?machine={run.machine_id}&tool=iozone")).links["epyc-2 over time"]

    assert of_machine == f"/trend/?machine={run.machine_id}&tool=iozone"
    assert "Write over time on epyc-2" in trend_of(client, urlsplit(of_machine).query).text
    assert "Write over time on epyc-2" in trend_of(client, urlsplit(of_run).query).text
    assert "Random write over time on epyc-2" in trend_of(client, urlsplit(of_result).query).text


def test_a_run_that_is_still_computed_is_waited_for(client: Client, owner: User) -> None:
    run = run_of_day(owner, 0, MIB)
    run.runstate.state = "computing"
    run.runstate.save()
    assert "still being computed" in trend_of(client, f"run={run.id}").text


def test_words_from_outside_cannot_leave_the_data(client: Client, owner: User) -> None:
    evil = "</script><script>alert(1)</script>"
    failed = [result([None] * 6, "write", status="failed", error=evil), result(values(MIB), "read")]
    run = run_of_day(owner, 0, MIB, results=failed)

    page = client.get(f"/trend/?run={run.id}&test=write")

    assert "<script>alert" not in page.content.decode()
    assert read(page).tables["trend"][1][1].text == evil
