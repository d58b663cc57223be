"""`/surface/`: record size × file size, as figures and as the table below them."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from benchdb.runs.models import KeptPart, Visibility
from benchdb.runs.services import limit_visibility
from tests.support.comparing.comparisons import surface_run, unknown_id
from tests.support.documents import KIB, MIB, environment, iozone_document, result
from tests.support.html import Page, read
from tests.support.store import store_run


def surface_of(client: Client, query: str, status: int = 200) -> Page:
    return read(client.get(f"/surface/?{query}"), status)


def test_table_and_figures_have_the_same_numbers(client: Client, owner: User) -> None:
    page = surface_of(client, f"run={surface_run(owner).id}")

    data = page.scripts["surface-data"]
    rows = [[cell.text for cell in row[1:]] for row in page.tables["surface-table"][:0:-1]]  # the largest file first
    assert (data["record_sizes"], data["file_sizes"]) == ([4 * KIB, 64 * KIB, 256 * KIB], [64 * KIB, 256 * KIB, MIB])
    (surface,) = data["surfaces"]
    for texts, shown in zip(surface["text"], rows, strict=True):
        for text, cell in zip(texts, shown, strict=True):
            number = (text or "").partition(" MiB/s")[0]
            assert cell.startswith(number) or text == f"failed: {cell}" or cell == "too fast"
    assert surface["value"][0] == [pytest.approx(19.99), pytest.approx(29.985), None]
    assert surface["spread"][0][0] == pytest.approx(0.127, rel=0.01)
    assert surface["text"][0][0] == "19.99 ± 0.13 MiB/s, n = 2"
    assert data["ratio"] is None


def test_holes_failures_and_cells_too_fast_stay_apart(client: Client, owner: User) -> None:
    page = surface_of(client, f"run={surface_run(owner).id}")

    (data,) = page.scripts["surface-data"]["surfaces"]
    held = [[value is not None for value in line] for line in data["value"]]
    assert held == [[True, True, False], [True, False, True], [True, True, False]]
    assert (data["value"][1][1], data["text"][1][1]) == (None, "failed: Input/output error")
    assert (data["text"][2][2], data["text"][0][2]) == ("too fast to measure", None)
    cells = page.values("surface-table")
    assert [cell.text for (_, row, _), cell in cells.items() if row == "1\u00a0MiB"][2] == "too fast"


def test_a_real_auto_run_has_every_cell(client: Client, owner: User) -> None:
    run = store_run(owner, iozone_document(visibility="public"))

    for test in ("write", "rewrite", "read", "reread"):
        data = surface_of(client, f"run={run.id}&test={test}&unit=KiB/s").scripts["surface-data"]
        (surface,) = data["surfaces"]
        assert sum(value is not None for row in surface["value"] for value in row) == 99
        assert (len(data["file_sizes"]), len(data["record_sizes"])) == (11, 13)
    assert surface["value"][0][0] == 10821524.0  # reread of 64 KiB in records of 4 KiB, as printed


def test_caches_and_memory_end_at_lines(client: Client, owner: User) -> None:
    machine = environment()
    machine["cpu"]["caches"] += [
        {"level": 1, "type": "data", "size": 32 * KIB},
        {"level": 1, "type": "instruction", "size": 64 * KIB},
        {"level": 2, "type": "unified", "size": None},
    ]
    page = surface_of(client, f"run={surface_run(owner, environment=machine).id}")

    found_marks = page.scripts["surface-data"]["marks"]
    for axis in ("file_size", "record_size"):
        assert {mark["label"]: mark["bytes"] for mark in found_marks if mark["axis"] == axis} == {
            "L1": 32 * KIB,
            "L3": 8 * MIB,
            "memory": 8 << 30,
        }
    assert "Lines mark where caches and memory end: L3 at 8 MiB, L1 at 32 KiB, memory at 8 GiB." in page.text


def test_without_a_test_the_first_surface_is_shown(client: Client, owner: User) -> None:
    assert "Write: record size × file size" in surface_of(client, f"run={surface_run(owner).id}").text


def test_a_surface_of_times_is_shown_in_their_unit(client: Client, owner: User) -> None:
    results = [
        result([0.001], "read", "latency_mean", "s", file_size=file_size, record_size=record_size)
        for file_size in (KIB, MIB)
        for record_size in (KIB, MIB)
    ]
    run = store_run(owner, rounds=1, results=results)

    page = surface_of(client, f"run={run.id}&metric=latency_mean")

    assert page.scripts["surface-data"]["unit"] == "µs"
    assert page.scripts["surface-data"]["surfaces"][0]["value"][0][0] == pytest.approx(1000)


def test_the_form_changes_test_metric_and_unit(client: Client, owner: User) -> None:
    form = surface_of(client, f"run={surface_run(owner).id}").fields
    sent = {"run": form["run"][0], EARLIER_CHOICES: form[EARLIER_CHOICES][0], "test": "write", "metric": "throughput"}

    kept = client.get("/surface/", {**sent, "statistic": "mean", "unit": "KiB/s"})
    dropped = client.get("/surface/", {**sent, "metric": "elapsed", "unit": "KiB/s"})

    assert kept["Location"].endswith("test=write&metric=throughput&unit=KiB%2Fs")
    assert "unit" not in dropped["Location"]
    assert surface_of(client, kept["Location"].partition("?")[2]).scripts["surface-data"]["unit"] == "KiB/s"


def test_a_second_run_of_the_machine_is_added_and_removed_in_the_menu(
    client: Client, owner: User, django_assert_num_queries: Any
) -> None:
    first = surface_run(owner)
    page = surface_of(client, f"run={first.id}")
    assert "second run" not in page.text

    KeptPart.objects.all().delete()
    with CaptureQueriesContext(connection) as alone:
        surface_of(client, f"run={first.id}")
    others = [surface_run(owner, file_system=name) for name in ("xfs", "btrfs")]
    store_run(owner)  # no surface
    surface_run(owner, machine={"name": "other", "machine_id": "ab" * 32})
    with django_assert_num_queries(len(alone)):
        page = surface_of(client, f"run={first.id}")

    options = [str(found["value"]) for tag, found in page.elements if tag == "option"]
    assert [value for value in options if len(value) == len(str(first.id))] == [str(run.id) for run in others[::-1]]
    was = {EARLIER_CHOICES: page.fields[EARLIER_CHOICES][0], "test": "write", "metric": "throughput"}
    both = client.get("/surface/", {**was, "run": [str(first.id), str(others[0].id)]})["Location"]
    assert "xfs ÷ ext4" in surface_of(client, both.partition("?")[2]).text
    one = client.get("/surface/", {**was, "run": [str(first.id), ""]})["Location"]
    assert "xfs ÷ ext4" not in surface_of(client, one.partition("?")[2]).text


def test_the_menu_of_runs_is_the_same_whether_the_second_one_is_listed(client: Client, owner: User) -> None:
    first, second, _ = (surface_run(owner) for _ in range(3))
    menus = []
    for visibility in (Visibility.UNLISTED, Visibility.PUBLIC):
        limit_visibility([second.id], visibility)
        KeptPart.objects.all().delete()
        elements = surface_of(client, f"run={first.id}&run={second.id}").elements
        menus.append([found for tag, found in elements if tag == "option"])

    assert menus[0] == menus[1]


@pytest.mark.parametrize("colours", ["all", "device"])
def test_the_choice_of_colours_is_kept_in_every_link(client: Client, owner: User, colours: str) -> None:
    page = surface_of(client, f"run={surface_run(owner).id}&colours={colours}")

    statistics = [href for href in page.links.values() if "statistic=sd" in href]
    assert [("colours=device" in href) for href in statistics] == [colours == "device"]


@pytest.mark.parametrize(("statistic", "unit", "first"), [("sd", "KiB/s", "130"), ("cv", "%", "0.64")])
def test_sd_and_cv_are_surfaces_too(client: Client, owner: User, statistic: str, unit: str, first: str) -> None:
    page = surface_of(client, f"run={surface_run(owner).id}&unit=KiB/s&statistic={statistic}")

    data = page.scripts["surface-data"]
    assert (data["unit"], data["surfaces"][0]["value"][0][0]) == (unit, pytest.approx(float(first), rel=1e-2))
    assert data["surfaces"][0]["spread"] is None
    cells = page.values("surface-table")
    assert cells[f"File ↓ · records → {unit}", "64\u00a0KiB", "4\u00a0KiB RAM"].text == first


def test_every_fault_is_said_at_once(client: Client, db: None) -> None:
    text = surface_of(client, "run=x&metric=speed&statistic=mode&colour=red", 400).text

    for fault in ("Run cannot be 'x'", "Metric cannot be 'speed'", "Statistic cannot be 'mode'", "no parameter colour"):
        assert fault in text


def test_only_pages_with_a_figure_load_plotly(client: Client, owner: User) -> None:
    def fetched(address: str) -> list[str | None]:
        scripts = [attributes for tag, attributes in read(client.get(address)).elements if tag == "script"]
        return [attributes["data-plotly"] for attributes in scripts if "data-plotly" in attributes]

    run = surface_run(owner)

    assert fetched(f"/surface/?run={run.id}") == ["/static/plotly.js"]
    assert fetched(f"/runs/{run.id}/") == []


@pytest.mark.parametrize(
    ("query", "status", "fault"),
    [
        ("", 400, "Name a run: run=ID"),
        ("run=1", 400, "Run cannot be '1'"),
        ("run={run}&test=read", 400, "This run has no surface of read (any metric). Possible are write (throughput)."),
        ("run={run}&metric=speed", 400, "Metric cannot be 'speed'"),
        ("run={run}&unit=ms", 400, "Throughput cannot be shown in 'ms'; possible are KiB/s, MiB/s"),
        ("run={run}&metric=throughput&unit=ms", 400, "Unit cannot be 'ms'; possible are KiB/s, MiB/s"),
        ("run={run}&statistic=mode", 400, "Statistic cannot be 'mode'; possible are mean, sd, cv."),
        ("run={run}&run={flat}", 400, "These runs have no surface of the same test and metric"),
        ("&".join(f"run={UUID(int=i)}" for i in range(9)), 400, "9 runs cannot be shown as surfaces; name 8 at most."),
        ("run={run}&run={unknown}", 404, "There is no run {unknown} that you may see."),
        ("run={run}&colour=red", 400, "There is no parameter colour"),
        ("run={flat}", 400, "Possible are none; it takes two record sizes and two file sizes."),
        ("run={unknown}", 404, "There is no run"),
    ],
)
def test_what_makes_no_surface_says_so(client: Client, owner: User, query: str, status: int, fault: str) -> None:
    names = {"run": surface_run(owner).id, "flat": store_run(owner).id, "unknown": unknown_id()}

    assert fault.format(**names) in surface_of(client, query.format(**names), status).text


def test_words_of_a_tool_cannot_leave_the_data(client: Client, owner: User) -> None:
    evil: dict[str, Any] = {"status": "failed", "error": "</script><script>alert(1)</script>"}
    results = [
        result(
            [1.0] if record_size == KIB else None,
            file_size=file_size,
            record_size=record_size,
            **(evil if record_size != KIB else {}),
        )
        for file_size in (KIB, MIB)
        for record_size in (KIB, MIB)
    ]
    run = store_run(owner, rounds=1, results=results, artifacts=[])

    answer = client.get(f"/surface/?run={run.id}")

    assert "<script>alert" not in answer.content.decode()
    assert read(answer).scripts["surface-data"]["surfaces"][0]["text"][0][1] == f"failed: {evil['error']}"


def test_sizes_on_a_diagonal_are_refused(client: Client, owner: User) -> None:
    """Two hundred results would make a grid of forty thousand cells, nearly all empty."""
    sizes = [{"file_size": (i + 1) * MIB, "record_size": (i + 1) * KIB} for i in range(200)]
    run = store_run(owner, rounds=1, results=[result([1e8], **size) for size in sizes])

    page = surface_of(client, f"run={run.id}", 400)

    assert "A surface of 200 file sizes × 200 record sizes would have more than 20000 places" in page.text
