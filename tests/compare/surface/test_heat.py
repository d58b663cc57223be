"""The heat maps of surfaces: tables from the server that work without scripts, or drawings if there are many sizes."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.surface import numbers as surface_numbers
from benchdb.compare.surface.evaluate import evaluate_surface
from benchdb.compare.surface.heat import show_heats
from benchdb.compare.surface.heat_areas import colour_areas
from benchdb.compare.surface.selection import SurfaceSelection
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import ids, surface_run
from tests.support.documents import GIB, KIB, MIB, artifact, environment, result
from tests.support.html import read
from tests.support.store import store_run


def heats(owner: User, query: str) -> list[dict[str, object]]:
    return show_heats(evaluate_surface(SurfaceSelection.parse(query), owner)[0])


def classes(heat: dict[str, object]) -> list[list[str]]:
    return [[each for each, _ in row["cells"]] for row in heat["map"]["rows"]]


def test_the_largest_file_stands_first_holes_stay_and_colours_run_from_low_to_high(owner: User) -> None:
    (heat,) = heats(owner, f"run={surface_run(owner).id}")

    assert [row["label"] for row in heat["map"]["rows"]] == ["1\u00a0MiB", "256\u00a0KiB", "64\u00a0KiB"]
    assert classes(heat) == [["m18", "m31", "f"], ["m9", "x", "m27"], ["m0", "m4", ""]]
    assert [figure for _, figure in heat["map"]["rows"][0]["cells"]] == ["59.97", "89.95", ""]
    assert heat["map"]["columns"] == ["4\u00a0KiB", "64\u00a0KiB", "256\u00a0KiB"]
    assert [sign["sign"] for sign in heat["signs"]] == ["✕", "»"]
    assert heat["scale"]["ticks"] == ["19.99", "89.95 MiB/s"]


def test_lines_stand_behind_the_last_size_that_fits(owner: User) -> None:
    machine = environment()
    machine["cpu"]["caches"] = [
        {"level": 1, "type": "data", "size": 32 * KIB},
        {"level": 2, "type": "unified", "size": 512 * KIB},
    ]
    (heat,) = heats(owner, f"run={surface_run(owner, environment=machine).id}")

    assert ([row["end"] for row in heat["map"]["rows"]], heat["map"]["ends"]) == (["", "L2", ""], ["", "L1", ""])
    assert [row[1].endswith("end") for row in classes(heat)] == [True] * 3


def wide_run(owner: User) -> Run:
    """Files of 1 GiB come from memory at 8,000 MiB/s, those of 64 GiB from the device at 90 to 120 MiB/s."""
    results = [
        result([speed * MIB * (1 + j / 3)] * 2, "read", file_size=size, record_size=record)
        for size, speed in ((GIB, 8000), (64 * GIB, 90), (128 * GIB, 92))
        for j, record in enumerate((64 * KIB, MIB))
    ]
    return store_run(owner, rounds=2, results=results)


def test_colours_are_logarithmic_over_a_cache_and_a_disk_or_span_the_device_only(owner: User) -> None:
    run = wide_run(owner).id

    (every,) = heats(owner, f"run={run}")
    (device,) = heats(owner, f"run={run}&colours=device")

    assert [tick.partition(" MiB/s")[0] for tick in every["scale"]["ticks"]] == ["90.00", "979.8", "10\u202f670"]
    assert classes(every) == [["m0", "m2"], ["m0", "m1"], ["m30", "m31"]]
    assert classes(device) == [["m1", "m31"], ["m0", "m29"], ["m31", "m31"]]
    assert "device only" in device["scale"]["ticks"][-1]
    assert [row["end"] for row in every["map"]["rows"]] == ["", "", "memory"]


def test_of_two_runs_the_ratio_has_the_signs_of_its_verdicts(owner: User) -> None:
    runs = [surface_run(owner, rounds=4), surface_run(owner, rounds=4, factor=2, file_system="xfs")]

    first, second, ratio = heats(owner, ids(runs))

    assert classes(first)[2][0] == "m0"
    assert classes(second)[0][1] == "m31"
    assert (classes(ratio)[2][:2], classes(ratio)[1][1]) == (["r20 b", "r20 b"], "g n")
    assert ratio["scale"]["ticks"] == ["÷ 2.00", "1", "× 2.00"]
    assert [sign["text"] for sign in ratio["signs"]] == ["better", "no verdict"]


def test_where_lower_is_better_the_smaller_ratio_has_the_better_colour(owner: User) -> None:
    def run(name: str, seconds: float) -> Run:
        spread = [seconds * factor for factor in (0.99, 1.0, 1.01)]
        sizes = [(file_size, record_size) for file_size in (MIB, 4 * MIB) for record_size in (4 * KIB, 64 * KIB)]
        results = [result(spread, "read", "latency_mean", "s", file_size=f, record_size=r) for f, r in sizes]
        return store_run(owner, file_system=name, rounds=3, results=results)

    *_, ratio = heats(owner, ids([run("ext4", 0.002), run("xfs", 0.001)]))

    assert (classes(ratio)[0], ratio["scale"]["ticks"]) == (["r20 b", "r20 b"], ["× 2.00", "1", "÷ 2.00"])


def test_the_page_has_the_heat_map_and_one_click_to_each_statistic(client: Client, owner: User) -> None:
    run = surface_run(owner)
    html = client.get(f"/surface/?run={run.id}").content.decode()

    assert '<td class="m31">89.95</td>' in html
    assert (
        f'href="/surface/?run={run.id}&amp;test=write&amp;metric=throughput&amp;unit=MiB%2Fs&amp;statistic=sd"' in html
    )


def test_a_fine_surface_has_its_numbers_without_what_would_make_it_megabytes(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [surface_run(owner, rounds=4), surface_run(owner, rounds=4, factor=2, file_system="xfs")]
    monkeypatch.setattr(surface_numbers, "MOST_ANSWERING", 17)

    page = read(client.get(f"/surface/?{ids(runs)}"))

    data = page.scripts["surface-data"]
    assert (data["surfaces"][0]["text"], data["surfaces"][0]["spread"][0][:2]) == (None, [0.07746, 0.1162])
    assert (data["ratio"]["text"], data["surfaces"][0]["value"][0][:2]) == (None, [19.99, 29.98])
    assert "surface-table-details" not in page.scripts
    rows = [[cell.text for cell in row] for row in page.tables["surface-table"]]
    assert (rows[2], rows[1][3]) == (["256\u00a0KiB", "39.98", "failed", "79.96"], "too fast")
    assert "Compare in a table" not in page.text


def test_more_sizes_than_signs_have_room_for_are_drawn_by_areas(client: Client, owner: User) -> None:
    """22 file sizes, one of them not measured with the larger records, and a cache that ends between two."""
    machine = environment()
    machine["cpu"]["caches"] = [{"level": 2, "type": "unified", "size": 512 * KIB}]
    machine["memory"] = {"total": MIB, "usable": MIB, "swap": 0}
    results = [
        result([100.0 * MIB * (i + 1)], file_size=64 * KIB * (i + 1), record_size=size * KIB)
        for i in range(22)
        for size in (4, 64)
        if (i, size) != (0, 64)
    ]
    run = store_run(owner, rounds=1, results=results, artifacts=[artifact("iozone.txt", "raw\n")], environment=machine)
    (heat,) = heats(owner, f"run={run.id}&test=write")

    assert (heat["fine"], heat["map"]["width"], heat["map"]["height"]) == (True, 2, 22)
    areas = {area["colour"]: area["path"] for area in heat["map"]["areas"]}
    assert areas["m31"] == "M0 0h2v1h-2z", "the largest file, at the top, of one colour"
    assert areas["m0"] == "M0 21h1v1h-1z", "the smallest, at the bottom, measured with one record size"
    assert heat["map"]["edges"] == "M0 14h2M0 6h2", "over the eighth file from below, of 512 KiB, and the sixteenth"
    assert heat["map"]["file_ends"] == [{"at": "63.64", "text": "L2"}, {"at": "27.27", "text": "memory"}]
    assert heat["map"]["files"][-1] == {"at": "2.273", "text": "1.38\u00a0MiB"}
    html = client.get(f"/surface/?run={run.id}&test=write").content.decode()
    assert '<path class="m31" d="M0 0h2v1h-2z"/>' in html


@given(st.lists(st.lists(st.sampled_from(["m1", "r2 b", "g q", "x", ""]), min_size=3, max_size=3), min_size=1))
def test_every_coloured_cell_is_filled_once_in_its_colour(classes: list[list[str]]) -> None:
    filled = [
        (len(classes) - 1 - int(i), j, colour)
        for colour, path in colour_areas(classes).items()
        for start, i, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path)
        for j in range(int(start), int(start) + int(length))
    ]

    assert sorted(filled) == [
        (i, j, names.split()[0])
        for i, line in enumerate(classes)
        for j, names in enumerate(line)
        if names not in ("x", "")
    ]


def test_two_runs_lead_to_their_comparison_in_a_table(client: Client, owner: User) -> None:
    runs = [surface_run(owner, rounds=4), surface_run(owner, rounds=4, factor=2, file_system="xfs")]
    read(client.get(read(client.get(f"/surface/?{ids(runs)}")).links["Compare in a table"]))
