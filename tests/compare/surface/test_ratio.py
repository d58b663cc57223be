"""Two runs on one page: their surfaces, and the ratio whose cells are one family of verdicts."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.surface.content import cells
from benchdb.compare.surface.evaluate import evaluate_surface
from benchdb.compare.surface.kind import without_runs
from benchdb.compare.surface.selection import SurfaceSelection
from benchdb.runs.models import Run
from benchdb.stats.comparing.looks import FIRST
from tests.support.comparing.comparisons import ids, values
from tests.support.documents import GIB, KIB, MIB, environment, result
from tests.support.html import read
from tests.support.store import make_user, store_run
from tests.texts import missing_in

SIZES = (64 * KIB, 256 * KIB, MIB)
ROUNDS = 6


def grid_run(owner: User, file_system: str, *factors: float, **sections: Any) -> Run:
    """A grid of 3 × 3 cells of 100 MiB/s times the factor of their record size; the last factor repeats."""
    results = [
        result(
            values(100 * MIB * factors[min(j, len(factors) - 1)]), "read", file_size=file_size, record_size=record_size
        )
        for file_size in SIZES
        for j, record_size in enumerate(SIZES)
    ]
    return store_run(owner, file_system=file_system, rounds=ROUNDS, results=results, **sections)


def two_places(owner: User) -> Run:
    """The first and the last cell of the same grid."""
    results = [result(values(MIB), "read", file_size=size, record_size=size) for size in (64 * KIB, MIB)]
    return store_run(owner, file_system="xfs", rounds=ROUNDS, results=results)


def content_of(*runs: Run, **fields: str) -> dict[str, Any]:
    selection = SurfaceSelection(tuple(run.id for run in runs), **fields)
    return to_json(evaluate_surface(selection, make_user("reader"))[0])


def test_each_cell_is_compared_with_the_same_place(owner: User) -> None:
    content = content_of(grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1.5, 1.01, 0.8))

    assert [surface["label"] for surface in content["surfaces"]] == ["ext4", "xfs"]
    assert content["factor"] == "file_system"
    for line in content["ratio"]:
        assert [verdict["kind"] for verdict in line] == ["better", "equivalent", "worse"]
        assert [verdict["ratio"] for verdict in line] == [pytest.approx(x) for x in (1.5, 1.01, 0.8)]
    assert content["ratio"][0][0] == content["surfaces"][1]["cells"][0][0]["verdict"]
    assert content["surfaces"][0]["cells"][0][0]["verdict"] is None


def test_the_grid_is_one_family(owner: User) -> None:
    """Benjamini–Hochberg: the largest p stays the same, the others are multiplied by at most the number of cells."""
    content = content_of(grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1.5, 1.002, 1.001))

    verdicts = [verdict for line in content["ratio"] for verdict in line]
    largest = max(verdicts, key=lambda verdict: verdict["p"])
    assert largest["p_adjusted"] == pytest.approx(min(1, largest["p"] / FIRST))
    first = verdicts[0]
    # Three cells share the smallest p.
    assert first["p_adjusted"] == pytest.approx(first["p"] / FIRST * len(verdicts) / 3)


def test_a_hole_of_one_run_is_a_hole_of_the_ratio(owner: User) -> None:
    content = content_of(grid_run(owner, "ext4", 1), two_places(owner))

    kinds = [[verdict and verdict["kind"] for verdict in line] for line in content["ratio"]]
    assert kinds == [["worse", None, None], [None, None, None], [None, None, "worse"]]
    assert content["left_out"] == "Left out of averages, highest and lowest: 7 not measured in all runs."


def test_where_lower_is_better_the_ratio_is_still_that_of_the_figures(owner: User) -> None:
    def run(name: str, mean: float) -> Run:
        results = [
            result(values(mean), "read", "latency_mean", "s", file_size=f, record_size=r) for f in SIZES for r in SIZES
        ]
        return store_run(owner, file_system=name, rounds=ROUNDS, results=results)

    content = content_of(run("ext4", 0.002), run("xfs", 0.001))

    assert (content["metric"], content["ratio"][0][0]["ratio"]) == ("latency_mean", pytest.approx(0.5))
    assert content["ratio"][0][0]["kind"] == "better"


def test_memory_and_the_device_have_no_ratio_and_no_verdict(owner: User) -> None:
    def run(name: str, moved: int) -> Run:
        evidence = {"device_read_bytes": moved, "logical_bytes": MIB}
        results = [
            result(
                values(100 * MIB), "read", file_size=f, record_size=r, **({"evidence": evidence} if r == MIB else {})
            )
            for f in SIZES
            for r in SIZES
        ]
        return store_run(owner, file_system=name, rounds=ROUNDS, results=results)

    content = content_of(run("ext4", MIB), run("xfs", 0))

    for line in content["ratio"]:
        assert [verdict["reason"] for verdict in line] == [None, None, "cache"]
        assert [verdict["ratio"] is None for verdict in line] == [False, False, True]
    assert content["left_out"].endswith("3 from memory in one run and from the device in another.")
    assert [average["cells"] for average in content["ratio_averages"]] == [6]


def test_runs_alike_are_told_apart_by_their_time(owner: User) -> None:
    content = content_of(grid_run(owner, "ext4", 1), grid_run(owner, "ext4", 1))

    first, second = (surface["label"] for surface in content["surfaces"])
    assert first != second
    assert first.startswith("20 Nov 2026 20:01 UTC")
    assert content["differences"] == []


def test_what_else_differs_stands_above(client: Client, owner: User) -> None:
    other = environment()
    other["memory"] = {"total": 2 * GIB}
    runs = [grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1, environment=other)]

    page = read(client.get(f"/surface/?{ids(runs)}"))

    assert not missing_in(page.text, "ext4 and xfs differ in more than that: memory", "memory 8 GiB (ext4) 2 GiB (xfs)")


def test_marks_that_only_one_machine_has_say_whose(owner: User) -> None:
    other = environment()
    other["memory"] = {"total": 2 * GIB}
    content = content_of(grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1, environment=other))

    memory = {mark["bytes"]: mark["of"] for mark in content["marks"] if mark["label"] == "memory"}
    assert memory == {8 * GIB: [0], 2 * GIB: [1]}
    assert {tuple(mark["of"]) for mark in content["marks"] if mark["label"] == "L3"} == {(0, 1)}


def test_page_and_table_have_both_runs(client: Client, owner: User) -> None:
    runs = [grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1.5)]

    page = read(client.get(f"/surface/?{ids(runs)}&unit=KiB/s"))

    data = page.scripts["surface-data"]
    assert [surface["label"] for surface in data["surfaces"]] == ["ext4", "xfs"]
    assert (data["ratio"]["label"], data["ratio"]["verdict"][0]) == ("xfs ÷ ext4", ["better"] * 3)
    assert data["ratio"]["text"][0][0].startswith("Better: 1.5")
    rows = page.values("surface-table")
    assert rows["ext4 baseline of the ratio KiB/s, more is better", "64\u00a0KiB", "64\u00a0KiB RAM"].text.startswith(
        "102\u202f400"
    )
    assert "1.50× faster" in rows["xfs KiB/s, more is better", "64\u00a0KiB", "64\u00a0KiB RAM"].text
    assert page.links["Swap the two runs"] == f"/surface/?{ids(runs[::-1])}&test=read&metric=throughput&unit=KiB%2Fs"
    assert read(client.get(page.links["xfs alone"])).scripts["surface-data"]["ratio"] is None


def test_five_runs_have_maps_and_sentences_but_no_ratio(client: Client, owner: User) -> None:
    """Records of 256 KiB are eight times as fast on xfs, in files of every size; the others are flat."""
    flat, steep, *others = (grid_run(owner, name, 1) for name in ("ext4", "ext3", "btrfs", "ext2"))
    runs = [flat, grid_run(owner, "xfs", 1, 8, 1), steep, *others]

    page = read(client.get(f"/surface/?{ids(runs)}"))
    content = evaluate_surface(SurfaceSelection(tuple(run.id for run in runs)), owner)[0]

    assert [surface["label"] for surface in page.scripts["surface-data"]["surfaces"]][:2] == ["ext4", "xfs"]
    assert (content.ratio, content.ratio_averages) == (None, [])
    assert [(each.kind, each.of, each.sizes) for each in content.shape] == [
        ("memory", [0, 1, 2, 3, 4], [MIB, 8 * GIB]),
        ("outlier", [1], [256 * KIB, 64 * KIB, MIB]),
    ]
    assert not missing_in(
        page.text,
        "The largest file, 1 MiB, is 1/8200 of memory (8 GiB): all of this is memory, not the disk.",
        "xfs: Read with records of 256 KiB is 8.",
        " faster than with records of 64 KiB and 1 MiB (",
        "ext4, xfs, ext3, btrfs and ext2",
    )
    assert page.links["xfs alone"].count("run=") == 1
    left = without_runs(content, {str(flat.id)})
    assert left is not None
    assert [(each.kind, each.of) for each in left.shape] == [("memory", [0, 1, 2, 3]), ("outlier", [0])]


def test_with_sd_the_ratio_is_still_that_of_the_means(client: Client, owner: User) -> None:
    runs = [grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1.5)]

    page = read(client.get(f"/surface/?{ids(runs)}&statistic=sd"))

    assert page.scripts["surface-data"]["ratio"]["value"][0][0] == pytest.approx(1.5)
    assert "The ratio and its verdicts are those of the means." in page.text


def test_a_run_of_somebody_else_is_not_there(client: Client, owner: User) -> None:
    runs = [grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1, visibility="private")]

    assert client.get(f"/surface/?{ids(runs)}").status_code == 404
    client.force_login(owner)
    assert client.get(f"/surface/?{ids(runs)}").status_code == 200


def test_two_runs_take_as_many_queries_as_one(owner: User, django_assert_num_queries: Any) -> None:
    runs, reader = [grid_run(owner, "ext4", 1), grid_run(owner, "xfs", 1)], make_user("reader")
    for _ in range(3):
        grid_run(owner, "btrfs", 1)

    for chosen in (runs[:1], runs):
        with django_assert_num_queries(2):
            evaluate_surface(SurfaceSelection(tuple(run.id for run in chosen)), reader)


def test_cells_come_one_after_the_other(owner: User) -> None:
    content = content_of(grid_run(owner, "ext4", 1), two_places(owner))

    placed = list(cells(from_json(content)))

    assert [cell.key for cell in placed] == [f"0-{i}-{j}" for i in range(3) for j in range(3)] + ["1-0-0", "1-2-2"]
    assert (placed[-1].split, placed[-1].row, placed[-1].column) == ("Read, xfs", "1 MiB", "1 MiB")
    assert (placed[-1].measure.metric, placed[-1].measure.base_unit) == ("throughput", "B/s")
