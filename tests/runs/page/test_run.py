"""`/runs/ID/`: the facts and results of a run, with every number as the tool printed it."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run, RunState
from benchdb.runs.services import delete_run
from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.units import UNITS
from tests.conftest import Upload
from tests.support.comparing.comparisons import campaign, surface_run
from tests.support.documents import (
    BONNIE,
    GIB,
    IOZONE_AUTO,
    bonnie_document,
    document,
    environment,
    iozone_document,
    output_document,
    result,
    round_,
    target,
)
from tests.support.html import Cell, Page, read
from tests.support.store import store_run
from tests.texts import missing_in

FSLOAD = Path(__file__).parents[2] / "agents" / "formats" / "golden"
SPACES = str.maketrans("", "", "\u202f\u00a0")
SIZES = {"KiB": 1, "MiB": 1024}


def page_of(client: Client, run: Any, query: str = "") -> Page:
    return read(client.get(f"/runs/{run.id}/{query}"))


def panel_of(client: Client, run: Any, cell: Cell, unit: str = "") -> dict[str, Any]:
    """The panel that the page asks for."""
    key = cell.key or ""
    panels = client.get(f"/runs/{run.id}/panels", {"row": key.removeprefix("r"), "unit": unit}).json()
    return dict(panels[key])


def kib(size: str) -> int:
    """`64 KiB` in KiB."""
    number, unit = size.partition(" file")[0].replace("\u00a0", " ").split()
    return int(number) * SIZES[unit]


def raw_cells() -> dict[tuple[int, int, str], tuple[int, int]]:
    """(file KiB, record KiB, test) → number and line, read from iozone's table by the positions of columns."""
    names = ("Write", "Rewrite", "Read", "Reread")
    cells = {}
    for number, line in enumerate(IOZONE_AUTO.splitlines(), start=1):
        if re.match(r" {10,}\d+ +\d+ +\d", line):
            file_size, record_size, *values = line.split()
            assert len(values) == 4
            for name, value in zip(names, values, strict=True):
                cells[int(file_size), int(record_size), name] = (int(value), number)
    return cells


def _with_files(page: Page) -> dict[tuple[str, str, str], Cell]:
    """Cells by (file, record, column); rows of a single file are `64 KiB × 4 KiB`."""
    cells = {}
    for (group, row, head), cell in page.values("results-throughput").items():
        file, _, record = row.rpartition(" × ")
        cells[file or group, record, head] = cell
    return cells


def test_every_number_of_a_real_iozone_run_is_the_raw_files(client: Client, owner: User) -> None:
    run = store_run(owner, iozone_document(visibility="public"))
    shown = _with_files(page_of(client, run, "?unit=KiB/s&results=all"))
    expected = raw_cells()
    assert len(expected) > 100
    measured = {key: cell for key, cell in shown.items() if cell.key}
    assert {(kib(group), kib(row), head.split()[0]) for group, row, head in measured} == set(expected)
    for (group, row, head), cell in measured.items():
        value, line = expected[kib(group), kib(row), head.split()[0]]
        assert cell.text.split(" ")[0] == say_mean_and_sd(value * 1024, None, 1, UNITS["KiB/s"])["mean"]
        panel = panel_of(client, run, cell, "KiB/s")
        assert dict(panel["facts"])["exact"].translate(SPACES) == f"{value} KiB/s = {value * 1024} B/s"
        assert panel["links"][1]["href"].endswith(f"/raw/iozone.txt#L{line}")


def test_every_number_of_a_real_bonnie_run_is_the_raw_files(client: Client, owner: User) -> None:
    run = store_run(owner, bonnie_document(visibility="public"))
    page = page_of(client, run)

    raw = BONNIE.strip().split(",")
    exact = {
        detail["title"].partition(",")[0]: text
        for detail in (panel_of(client, run, cell) for cell in page.values("results-tests").values() if cell.key)
        if detail["mean"] is not None
        and (text := dict(detail["facts"])["exact"].translate(SPACES)).endswith(("B/s", "op/s"))
    }
    assert exact == {
        "Char write": f"{raw[9]} KiB/s = {int(raw[9]) * 1024} B/s",
        "Char read": f"{raw[15]} KiB/s = {int(raw[15]) * 1024} B/s",
        "Sequential create": f"{raw[26]} op/s",
        "Random create": f"{raw[32]} op/s",
    }
    shown = page.values("results-tests")
    too_fast = [key for key, cell in shown.items() if cell.text == "too fast" and key[2].startswith("Throughput")]
    assert len(too_fast) == raw[9:18].count("+++++")
    rows = list(dict.fromkeys((group.replace("\u00a0", " "), row) for group, row, _ in shown))
    assert rows[0] == ("512 MiB file", "Char write")
    assert rows[-1] == ("files 4096, max size 4 KiB, directories 2", "Random delete")
    assert len(rows) == 12


def test_an_aging_shows_its_layouts_beside_its_rates(client: Client, owner: User) -> None:
    text = (FSLOAD / "fsload-age.jsonl").read_text()

    page = page_of(client, store_run(owner, output_document(text, "fsload.jsonl", visibility="public")))

    layouts = page.values("results-extents_per_file")
    assert {column: cell.text.split()[0] for (_, _, column), cell in layouts.items()} == {
        "Layout filled": "1.000",
        "Layout after": "1.000",
    }
    assert {"results-jobs", "results-layout_score", "results-free_extent_size"} <= set(page.tables)


def test_it_says_what_where_and_how_well(client: Client, owner: User) -> None:
    page = page_of(client, store_run(owner))

    assert not missing_in(
        page.text,
        "iozone 3.489",
        "epyc-2",
        "iozone -s 1G -r 1M -i 0",
        "cold: caches emptied before",
        "3 m 00 s",
        "md0 RAID 6",
        "chunk 128 KiB",
        "4 disks",
        "ST4000NM0035",
        "mkfs.ext4 -b 4096",
        "rw, noatime",
        "8 GiB declared",
        "filled to 12 % of 100 GiB",
        "plan tests",
        "visibility public",
    )


def test_it_shows_the_machine_as_far_as_it_is_known(client: Client, owner: User) -> None:
    facts = environment()
    facts["cpu"] |= {"governor": "performance", "frequency_driver": "intel_pstate", "boost": False}
    facts["memory"]["modules"] = [{"count": 4, "size": 2 * GIB, "type": "DDR4", "transfer_rate": 2_666_000_000}]
    node = {"threads": 16, "memory": 4 * GIB}
    facts["numa_nodes"] = [{**node, "distances": [10, 21]}, {**node, "distances": [21, 10]}]
    facts["controllers"] = [
        {"name": "0000:03:00.0", "model": "PERC", "firmware": "1.2", "cache": GIB, "cache_mode": "write back"}
    ]
    facts["provenance"] = {"/memory/modules": "declared", "/controllers/0/cache": "declared"}
    facts["contradictions"] = [
        {"fact": "/controllers/0/firmware", "detected": "1.2", "declared": "1.1", "kept": "detected"}
    ]
    state = {"arrays": [{"kind": "raid", "name": "md0", "state": "degraded, recovering", "done": 0.31}]}

    page = page_of(client, store_run(owner, environment=facts, state_before=state))

    assert not missing_in(
        page.text,
        "governor performance driver intel_pstate, boost off",
        "memory modules 4 × 2 GiB DDR4 at 2666 MT/s declared",
        "NUMA nodes 2 16 threads, 4 GiB; 16 threads, 4 GiB; distances 10 21 / 21 10",
        "controller PERC declared firmware 1.2, 1 GiB cache, write back",
        "contradiction controllers 0 firmware: detected 1.2, declared 1.1 the detected one counts",
        "array md0 degraded, recovering 31 % done",
    )


def test_what_nobody_could_tell_is_unknown(client: Client, owner: User) -> None:
    facts = environment()
    facts["cpu"]["model"] = None
    unknown = {**target(), "file_system": {"type": None}}

    page = page_of(client, store_run(owner, environment=facts, target=unknown))

    assert not missing_in(page.text, "CPU unknown 1 socket, 16 cores, 32 threads", "unknown file system")


def test_mean_over_sd_failed_cells_and_cells_too_fast(client: Client, owner: User) -> None:
    run = store_run(owner)
    page = page_of(client, run)

    (write,) = (cell for key, cell in page.values("results-throughput").items() if key[2].startswith("Write"))
    (rewrite,) = (cell for key, cell in page.values("results-throughput").items() if key[2].startswith("Rewrite"))
    (stat,) = page.values("results-rate").values()
    assert (write.text, rewrite.text, stat.text) == ("106.77770 ± 0.00035", "No space left on device", "too fast")
    panel = panel_of(client, run, write)
    assert (panel["labels"], dict(panel["facts"])["n"]) == (["106.77734", "106.77770", "106.77805"], "3 rounds")


def test_one_value_is_marked_so(client: Client, owner: User) -> None:
    page = page_of(client, store_run(owner, rounds=1, results=[result([1e8])]))

    (cell,) = page.values("results-throughput").values()
    assert cell.text == "95.37 n = 1"
    assert "One round only" in page.text


def test_cells_of_memory_and_of_few_ticks_are_marked(client: Client, owner: User) -> None:
    results = [
        result([2.0**30, 2.0**30 + 1, 2.0**30 + 2], file_size=1 << 20, record_size=4096),
        result([2.0**40, 2.0**40 + 1, 2.0**40 + 2], "read", file_size=65536, record_size=4096),
    ]
    page = page_of(client, store_run(owner, results=results))

    shown = {row.split()[0]: (head, cell) for (_, row, head), cell in page.values("results-tests").items() if cell.key}
    assert shown["Write"][0] == "Throughput RAM"  # once for all
    assert "RAM" not in shown["Write"][1].text
    assert shown["Read"][1].text.endswith(" CLK")
    assert not missing_in(
        page.text,
        "2 results of throughput measured memory, not the device (RAM)",
        "1 of 2 results took less than 100 ticks",
    )


def test_a_failed_round_is_listed_with_its_reason(client: Client, owner: User) -> None:
    rounds = [round_(0), {**round_(1), "status": "failed", "error": "iozone was killed"}, round_(2)]
    rounds[2]["evidence"]["kernel_messages"] = ["EXT4-fs error (device md0)"]
    results = [result([1e8, None, 1.1e8], error="round 2: iozone was killed")]

    run = store_run(owner, document(rounds=3, results=results, visibility="public") | {"rounds": rounds})
    page = page_of(client, run)

    assert "1 of 3 rounds failed: iozone was killed" in page.text
    assert page.tables["Rounds"][2][-1].text == "failed iozone was killed"
    assert "EXT4-fs error (device md0)" in page.text
    detail = panel_of(client, run, next(iter(page.values("results-throughput").values())))
    assert (detail["values"][1], dict(detail["facts"])["n"]) == (None, "2 of 3 rounds")


def test_steps_stand_in_one_table_of_times(client: Client, owner: User) -> None:
    results = [
        result([0.2, 0.3, 0.25], test, metric, "s")
        for test in ("mkfs", "mount")
        for metric in ("elapsed", "user_time", "system_time")
    ]
    page = page_of(client, store_run(owner, results=results))

    assert {row for _, row, _ in page.values("results-times")} == {"mkfs", "Mount"}
    assert [cell.text for cell in page.tables["results-times"][0]] == [
        "Step s, less is better",
        "Elapsed",
        "User time",
        "System time",
    ]


def test_steps_of_several_threads_are_told_apart(client: Client, owner: User) -> None:
    results = [result([2.0], "file_create", "elapsed", "s", threads=threads) for threads in (1, 4)]

    page = page_of(client, store_run(owner, rounds=1, results=results))

    assert {row for _, row, _ in page.values("results-times")} == {"File create", "File create 4 threads"}


def test_results_that_differ_in_threads_and_params_have_rows_of_their_own(client: Client, owner: User) -> None:
    results = [
        result([1e8, 1e8, 1e8], file_size=1 << 20, threads=threads, params=params)
        for threads, params in ((1, {}), (4, {}), (4, {"direct": True}))
    ]
    page = page_of(client, store_run(owner, results=results))

    rows = [row for _, row, _ in page.values("results-throughput")]
    assert [row.replace("\u00a0", " ") for row in rows] == ["1 MiB", "1 MiB 4 threads", "1 MiB 4 threads, direct"]


def test_links_to_surfaces_and_to_the_campaign(client: Client, owner: User) -> None:
    belongs = campaign()
    run = surface_run(owner, campaign=belongs)
    store_run(owner, campaign=belongs)

    page = page_of(client, run)

    assert (page.links["Write"], page.links["Compare with the other runs of this campaign"]) == (
        f"/surface/?run={run.id}&test=write&metric=throughput",
        f"/compare/?campaign={belongs['id']}&tool=iozone",
    )


def test_a_run_without_grid_and_campaign_has_no_such_links(client: Client, owner: User) -> None:
    page = page_of(client, store_run(owner))

    assert ("Surfaces" in page.text, "Compare with the other runs of this campaign" in page.links) == (False, False)


@pytest.mark.parametrize("state", ["received", "computing"])
def test_a_page_that_waits_polls_and_loads_anew_without_scripts(client: Client, owner: User, state: str) -> None:
    run = store_run(owner)
    RunState.objects.filter(pk=run.id).update(state=state)

    page = page_of(client, run)

    assert ("ol", state) in [(tag, attributes.get("data-state")) for tag, attributes in page.elements]
    assert f"/api/v1/runs/{run.id}/state" in [attributes.get("data-poll") for _, attributes in page.elements]
    assert "refresh" in [attributes.get("http-equiv") for _, attributes in page.elements]


def test_figures_that_wait_are_computing_and_not_unknown(client: Client, owner: User, upload: Upload) -> None:
    sent = document(visibility="public")
    upload(sent, computed=False)

    text = page_of(client, Run.objects.get(pk=sent["run_id"])).text

    assert "computing" in text
    assert "not known" not in text


def test_the_polled_address_answers_the_state(client: Client, owner: User) -> None:

    assert client.get(f"/api/v1/runs/{store_run(owner).id}/state").json()["state"] == "ready"


def test_a_run_whose_statistics_failed_says_why(client: Client, owner: User) -> None:
    run = store_run(owner)
    RunState.objects.filter(pk=run.id).update(state="failed", failure="Statistics version 1 failed: <overflow>")

    assert "The statistics failed: Statistics version 1 failed: <overflow>" in page_of(client, run).text


def test_a_withdrawn_run_says_so(client: Client, owner: User) -> None:
    run = store_run(owner)
    RunState.objects.filter(pk=run.id).update(withdrawn_at=run.started_at, withdrawn_reason="Wrong cable.")

    text = page_of(client, run).text

    assert not missing_in(text, "Withdrawn by its owner: Wrong cable.", "20 Nov 2026 withdrawn")


def test_a_deleted_run_is_gone_and_not_missing(client: Client, owner: User) -> None:
    run = store_run(owner)
    address = f"/runs/{run.id}/"
    delete_run(run)

    for path in ("", "results/0/", "raw/iozone.txt"):
        assert "This run was deleted" in read(client.get(address + path), 410).text


def test_what_comes_from_outside_is_escaped(client: Client, owner: User) -> None:
    evil = "<script>alert(1)</script>"
    facts = environment()
    facts["cpu"]["model"] = evil
    failed = result([None] * 3, status="failed", error=evil)
    run = store_run(
        owner,
        environment=facts,
        machine={"name": evil, "machine_id": "5a" * 32},
        labels={"note": evil, evil: "x"},
        results=[failed, result([1.0] * 3, "read")],
        extra={"parser_warnings": [evil]},
        artifacts=[],
    )

    html = client.get(f"/runs/{run.id}/").content.decode()

    assert ("alert(1)" in html, evil in html) == (True, False)
    assert "<script>alert" not in client.get("/runs/").content.decode()


def test_an_unknown_unit_is_not_shown(client: Client, owner: User) -> None:
    assert "MiB/s" in page_of(client, store_run(owner), f"?unit={quote('<b>')}").text


def test_a_page_needs_the_same_queries_for_any_number_of_results(
    client: Client, owner: User, django_assert_num_queries: Any
) -> None:
    small, large = store_run(owner, visibility="public"), store_run(owner, iozone_document(visibility="public"))
    client.get(f"/runs/{small.id}/")

    for run, headlines in ((small, 0), (large, 1)):  # those of the small run are cached
        with django_assert_num_queries(6 + headlines):  # run, outline, results, artifacts, any series, signature
            client.get(f"/runs/{run.id}/")


def test_of_very_many_rounds_and_messages_the_first_are_listed(client: Client, owner: User) -> None:
    content = document(rounds=1200, results=[result([1.0, 1.0, None, *[1.0] * 1197])], visibility="public")
    content["rounds"][2] |= {"status": "failed", "error": "w" * 4096}
    content["rounds"][0]["evidence"]["kernel_messages"] = [f"message {i}" for i in range(900)] + ["y" * 5000]
    content["rounds"][1]["evidence"]["kernel_messages"] = [f"more {i}" for i in range(900)]
    content["workload"]["command"] = ["iozone", "z" * 60_000]
    html = client.get(store_run(owner, content).get_absolute_url()).content.decode()

    assert "200 more rounds are in" in html
    assert ("w" * 300 in html, "Long texts are whole in" in html) == (False, True)
    assert html.count('<th scope="row">1000</th>') == 1
    assert '<th scope="row">1001</th>' not in html
    assert ("more 98" in html, "more 99" in html, "y" * 2001 in html) == (True, False, False)
    assert (html.count("z" * 60_000), html.count("z") < 70_000) == (1, True), "whole once, and cut in the panels"


def test_a_write_with_fsync_and_a_read_without_share_a_row(client: Client, owner: User) -> None:
    results = [
        result([1e8] * 3, test, metric, unit, file_size=file_size, record_size=record_size, params=params)
        for test, params in (("write", {"fsync": True}), ("read", {}))
        for metric, unit in (("throughput", "B/s"), ("elapsed", "s"))
        for file_size, record_size in ((GIB, 4096), (GIB, 65536), (2 * GIB, 4096), (2 * GIB, 65536))
    ]

    page = page_of(client, store_run(owner, results=results))

    for table in ("results-throughput", "results-elapsed"):
        assert (len(cells := page.values(table)), all(cell.key for cell in cells.values())) == (8, True)
        assert {head.split()[0] + str("fsync" in head) for *_, head in cells} == {"WriteTrue", "ReadFalse"}
    assert "2 GiB file, 64 KiB records" in page.text.replace("\u00a0", " "), "once above the headlines"


def test_panels_are_only_of_results_that_exist(client: Client, owner: User) -> None:
    for visibility, row in (("public", "99"), ("public", "x"), ("private", "0")):
        run = store_run(owner, visibility=visibility)
        assert client.get(f"/runs/{run.id}/panels", {"row": row}).status_code == 404


@pytest.mark.parametrize("names", [("r", "s"), tuple("abcdefgh")])
def test_of_many_warnings_the_first_three_are_open_and_severe_ones_precede(
    client: Client, owner: User, names: tuple[str, ...]
) -> None:
    failed = result([None] * 3, "read", status="failed", error="no space")
    run = store_run(owner, results=[failed], extra={"parser_warnings": list(names)})

    shown, _, folded = client.get(run.get_absolute_url()).content.decode().partition("more warning")

    assert shown.index("no space") < shown.index("In the raw output: " + names[0])
    assert ("In the raw output: c" in folded) == (len(names) > 3)


def test_a_title_has_no_digests(client: Client, owner: User) -> None:
    parameters = {"job_file": "jobs/a.fio", "job_file_sha256": "80" * 32}
    workload = {"tool": "fio", "tool_version": "3.33", "command": ["fio", "jobs/a.fio"], "parameters": parameters}
    page = read(client.get(f"/runs/{store_run(owner, document(workload=workload)).pk}/"))
    assert page.text.startswith("fio 3.33 · ext4 · job file jobs/a.fio · ")
    assert "80" * 32 not in page.text.partition("What")[0]
