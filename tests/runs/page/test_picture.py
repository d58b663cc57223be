"""The picture at the beginning of the page of a run."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run
from benchdb.runs.page import heat_maps, percentile_curves
from tests.agents.formats.texts import golden
from tests.support.documents import GIB, KIB, MIB, iozone_document, output_document, result
from tests.support.html import read
from tests.support.store import store_run
from tests.texts import missing_in


def html_of(client: Client, run: Run) -> str:
    return client.get(run.get_absolute_url()).content.decode()


def test_a_run_of_sizes_begins_with_a_heat_map_for_each_test(client: Client, owner: User) -> None:
    run = store_run(owner, iozone_document(visibility="public"))

    html = html_of(client, run)
    page = read(client.get(run.get_absolute_url()))

    assert html.index('class="small-heats"') < html.index("<h2>What</h2>")
    assert html.count('<svg viewBox="0 0 13 11"') == 4
    assert [page.links[test] for test in ("Write", "Rewrite", "Read", "Reread")] == [
        f"/surface/?run={run.id}&test={test}&metric=throughput" for test in ("write", "rewrite", "read", "reread")
    ]
    assert not missing_in(
        page.text,
        "693.6 to 6\u202f713 MiB/s",
        "logarithmic",
        "file size upwards (64 KiB to 64 MiB), record size to the right (4 KiB to 16 MiB)",
    )
    assert "larger than memory" not in page.text


def grid(*files: int, tests: tuple[str, ...] = ("write",), factor: float = 2.0) -> list[dict[str, Any]]:
    return [
        result([1e8 * factor**i] * 3, test, file_size=size, record_size=record)
        for test in tests
        for i, size in enumerate(files)
        for record in (64 * KIB, MIB)
    ]


def test_all_maps_have_one_scale_with_a_line_where_memory_ends(client: Client, owner: User) -> None:
    results = [*grid(GIB, 4 * GIB, 16 * GIB), *grid(GIB, 4 * GIB, 16 * GIB, tests=("read",), factor=1.0)]

    html = html_of(client, store_run(owner, results=results))

    write, read_map = re.findall(r'<svg viewBox="0 0 2 3".*?</svg>', html, re.DOTALL)
    assert re.findall(r'class="(m\d+)" d="([^"]*)"', write) == [
        ("m0", "M0 2h2v1h-2z"),
        ("m10", "M0 1h2v1h-2z"),
        ("m31", "M0 0h2v1h-2z"),
    ]
    assert set(re.findall(r'class="(m\d+)"', read_map)) == {"m0"}
    assert 'class="edge" d="M0 1h2"' in write
    assert "Above the line, files are larger than memory (8 GiB)." in html


def test_of_very_many_sizes_some_are_drawn(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat_maps, "MOST_SIZES", 2)

    html = html_of(client, store_run(owner, results=grid(MIB, 2 * MIB, 4 * MIB, 8 * MIB)))

    assert not missing_in(
        html, '<svg viewBox="0 0 2 2"', "file size upwards (2 MiB to 8 MiB)", "Not all sizes are drawn."
    )


def fio(owner: User) -> Run:
    """A real run of fio as if it had done each operation 100,000 times: few operations have no high percentiles."""
    document = json.loads(golden("fio-json_plus.json"))
    for direction in (document["jobs"][0][name] for name in ("read", "write", "sync")):
        direction["total_ios"] *= 100_000
        for latencies in (direction[name] for name in ("clat_ns", "lat_ns") if name in direction):
            latencies["bins"] = {key: 100_000 * count for key, count in latencies.get("bins", {}).items()}
            latencies["N"] = 100_000 * latencies["N"]
    return store_run(
        owner, output_document(json.dumps(document), "fio.json", media_type="application/json", visibility="public")
    )


def test_latencies_are_curves_over_an_axis_of_nines(client: Client, owner: User) -> None:
    html = html_of(client, fio(owner))

    ticks = dict(re.findall(r'<text x="([\d.]+)%" y="0">([^<]*)</text>', html))
    assert ticks == {"7.53": "50 %", "25.0": "90 %", "50.0": "99 %", "75.0": "99.9 %", "100.0": "99.99 %"}
    links = re.findall(r'<li class="series-\d"><a href="(/runs/[^"]*/results/\d+/)">([^<]*)', html)
    assert [label for _, label in links] == ["Random read", "Random write", "Sync"]
    assert "latency, mean" in client.get(links[0][0]).content.decode()
    assert [text for text in ("100 ns", "1 µs", "10 µs", "100 µs") if f">{text}</text>" in html] == [
        *("100 ns", "1 µs", "10 µs", "100 µs")
    ]
    first = re.search(r'class="curve series-1" d="M([\d. L]*)"', html)
    assert first is not None
    places = [tuple(map(float, place.split())) for place in first[1].split("L")]
    assert (len(places), places) == (17, sorted(places))
    assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)


def test_no_more_curves_are_drawn_than_colours_tell_apart(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(percentile_curves, "MOST_CURVES", 2)

    html = html_of(client, fio(owner))

    assert html.count('class="curve series-') == 2
    assert "1 further curves are not drawn" in html


def test_latencies_of_a_run_are_one_table(client: Client, owner: User) -> None:
    page = read(client.get(fio(owner).get_absolute_url()))

    head, *rows = page.tables["results-latency"]
    texts = [cell.text.partition(" µs")[0] for cell in head]
    assert texts[0] == "Test 1 MiB file, rw randrw, fsync 16, rwmixread 70".replace("1 MiB file", "1\u00a0MiB file")
    assert (texts[1:4], texts[-4:]) == (["mean", "sd", "min"], ["99.9 %", "99.95 %", "99.99 %", "max"])
    names = [row[0].text.replace("\u00a0", " ") for row in rows]
    assert "Random read 4 KiB records, latency completion" in names
    assert len(names) == len(set(names))
    assert len({cell.key for row in rows for cell in row}) > 60


def test_jobs_are_rows_with_rate_throughput_and_percentiles_beside_their_curves(client: Client, owner: User) -> None:
    run = fio(owner)
    page = read(client.get(run.get_absolute_url()))

    head, *jobs = page.tables["results-jobs"]
    assert [cell.text.split()[0] for cell in head[1:]] == ["Rate", "Throughput", "p50", "p99", "p99.9"]
    assert [row[0].text.replace("\u00a0", " ") for row in jobs] == [
        "Random read 4 KiB records",
        "Random write 8 KiB records",
    ]
    assert all(cell.key for row in jobs for cell in row[1:])
    html = html_of(client, run)
    assert html.index('id="results-jobs"') < html.index('class="curves"') < html.index('id="evidence"')


def test_statistics_of_a_quantity_are_columns(client: Client, owner: User) -> None:
    run = store_run(owner, output_document(golden("fio-randread.json"), "fio.json", visibility="public"))

    head, *jobs = read(client.get(run.get_absolute_url())).tables["results-throughput"]

    assert [cell.text.split()[0] for cell in head[1:]] == ["mean", "sd", "min", "max"]
    assert [row[0].text for row in jobs] == ["Random read process 1", "Random read process 2"]


def test_a_job_too_short_for_percentiles_has_its_mean(client: Client, owner: User) -> None:
    run = store_run(owner, output_document(golden("fio-groups.json"), "fio.json", visibility="public"))

    head, sequential, random = read(client.get(run.get_absolute_url())).tables["results-jobs"]

    assert [cell.text.split()[0] for cell in head[1:]] == ["Rate", "Throughput", "Mean"]
    assert (sequential[3].text, random[3].text) == ("259.4 n = 1", "3.163 n = 1")


@pytest.mark.parametrize(("operations", "shown"), [(4, set()), (100, {"50", "90"}), (1000, {"50", "90", "99"})])
def test_percentiles_need_ten_slower_operations(client: Client, owner: User, operations: int, shown: set[str]) -> None:
    sizes = {"file_size": operations * 4 * KIB, "record_size": 4 * KIB}
    evidence = {"logical_bytes": 3 * operations * 4 * KIB}  # of three rounds
    latencies = [
        result([0.1, 0.2, 0.3], "write", f"latency_{name}", "s", evidence=evidence, **sizes)
        for name in ("mean", "p50", "p90", "p99", "p999", "max")
    ]

    page = read(client.get(store_run(owner, results=latencies).get_absolute_url()))

    heads = [cell.text.split()[0] for cell in page.tables["results-latency"][0][1:]]
    assert (heads[0], heads[-1], set(heads[1:-1])) == ("mean", "max", shown)


def test_a_run_without_figures_has_no_picture(client: Client, owner: User) -> None:
    results = [result([None] * 3, status="failed", error="no space")]

    assert 'class="picture"' not in html_of(client, store_run(owner, results=results))
