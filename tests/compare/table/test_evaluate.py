"""The evaluation of a selection to plain data: `evaluate`, `pivot`, `guard`, `judge`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.content_json import to_json
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.findings import findings
from benchdb.compare.table.grid import grid_of
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import compared_runs, ids, values
from tests.support.documents import GIB, KIB, MIB, bonnie_document, document, output_document, result, target
from tests.support.store import store_run

FSLOAD = Path(__file__).parents[2] / "agents" / "formats" / "golden"
SIZES = {"file_size": GIB, "record_size": MIB}


def table(owner: User, runs: list[Run], **changes: Any) -> dict[str, Any]:
    """The evaluated table of these runs, as JSON."""
    return to_json(evaluate(Selection(runs=tuple(run.id for run in runs)).replace(**changes), owner)[0])


def labels(content: dict[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """The labels of groups, rows and columns."""
    parts = content["groups"], content["groups"][0]["rows"], content["heads"]
    groups, rows, columns = ([part["label"] for part in some] for some in parts)
    return groups, rows, columns


def difference(content: dict[str, Any], name: str) -> dict[str, list[str]]:
    """Value → the rows that have it."""
    (found,) = [found for found in content["differences"] if found["name"] == name]
    return {value["value"]: value["where"] for value in found["values"]}


def test_it_is_json_and_its_query_gives_it_again(owner: User) -> None:
    content = table(owner, compared_runs(owner))

    again, _ = evaluate(Selection.parse(content["query"]), owner)

    assert content == to_json(again)


def test_other_load_is_known_without_reading_kernel_messages(owner: User, client: Client) -> None:
    """Ten runs with 115 MB of them took 2.3 GB of a web process."""
    runs = []
    for file_system, score in (("ext4", 0.0), ("xfs", 0.9)):
        content = document(file_system=file_system, visibility="public")
        content["rounds"][1]["evidence"] |= {"noise": {"score": score}, "disturbances": {"io_error": int(score > 0)}}
        runs.append(store_run(owner, content))

    with CaptureQueriesContext(connection) as queries:
        content = table(owner, runs)
        answers = [client.get(f"/{path}").status_code for path in (f"compare/?{ids(runs)}", f"trend/?run={runs[0].pk}")]

    assert answers == [200, 200]
    assert {*difference(content, "load")} == {"0 %", "90 %"}
    assert {*difference(content, "disturbances")} == {"undisturbed", "io error"}
    assert not [query["sql"] for query in queries if '"runs_run"."rounds"' in query["sql"]]


def test_its_findings_are_those_of_its_content_alone(owner: User) -> None:
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))
    content, _ = evaluate(Selection(runs=tuple(run.id for run in runs)), owner)

    assert content.findings == findings(grid_of(replace(content, findings=[]))) != []


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        ({"rows": ("record_size",)}, ([""], ["64 KiB", "1 MiB"], ["Write", "Read"])),
        (
            {"rows": ("record_size",), "split": ("file_system",)},
            (["ext4", "xfs"], ["64 KiB", "1 MiB"], ["Write", "Read"]),
        ),
        ({"columns": ("file_system",), "rows": ("test",)}, (["64 KiB", "1 MiB"], ["Write", "Read"], ["ext4", "xfs"])),
        ({"columns": ("record_size",)}, ([""], ["ext4", "xfs"], ["64 KiB", "1 MiB"])),
        ({"rows": ("machine",), "split": ("test",)}, (["Write", "Read"], ["epyc-2"], None)),
    ],
)
def test_any_dimension_can_be_any_axis(
    owner: User, axes: dict[str, tuple[str, ...]], expected: tuple[Any, ...]
) -> None:
    runs = compared_runs(owner, {"ext4": 1e8, "xfs": 2e8}, record_sizes=(64 * KIB, MIB))
    if axes.get("split") == ("test",):
        axes = {**axes, "columns": ("file_system",)}
        expected = (*expected[:2], ["ext4", "xfs"])

    assert labels(table(owner, runs, **axes)) == expected


def test_most_frequent_params_are_shown_and_the_others_named(owner: User) -> None:
    results = [
        result(values(1e8, 3), file_size=GIB, record_size=size, threads=2, params=params)
        for size in (KIB, MIB)
        for params in ({}, {"view": "min"})
    ]
    content = table(owner, [store_run(owner, results=results[:3])])

    assert content["notes"] == [
        "Tests were measured with several parameters; shown are Write: none."
        " For others choose params or make it an axis."
    ]


def test_threads_can_be_rows(owner: User) -> None:
    results = [result(values(1e8, 3), file_size=GIB, threads=threads) for threads in (1, 2)]
    run = store_run(owner, results=results)

    assert table(owner, [run], rows=("threads",))["notes"] == []
    assert labels(table(owner, [run], rows=("threads",)))[1] == ["1", "2"]


def test_only_mount_options_that_differ_are_listed(owner: User) -> None:
    def mounted(file_system: str, *options: str) -> dict[str, Any]:
        return {**target(file_system), "mount": {"options": ["rw", *options]}}

    runs = [
        store_run(owner, target=mounted("ext4", "noatime", "data=ordered")),
        store_run(owner, target=mounted("ext4", "noatime", "data=writeback")),
        store_run(owner, target=mounted("xfs", "noatime")),
    ]

    content = table(owner, runs, rows=("file_system",))

    assert difference(content, "mount_options") == {
        "data=ordered": ["ext4"],
        "data=writeback": ["ext4"],
    }


def test_a_fill_level_counts_from_five_per_cent_on(owner: User) -> None:
    def filled(fill: float) -> Run:
        return store_run(owner, state_before={"fill": fill})

    near = table(owner, [filled(0.12), filled(0.16)])
    far = table(owner, [filled(0.12), filled(0.61), store_run(owner, state_before={})], rows=("file_system",))

    assert "fill" not in [entry["name"] for entry in near["differences"]]
    assert difference(far, "fill") == {"12 %": ["ext4"], "61 %": ["ext4"], "unknown": ["ext4"]}


def test_what_a_comparison_varies_on_purpose_is_no_difference(owner: User) -> None:
    runs = [
        store_run(owner, machine={"name": name, "machine_id": sign * 64}) for name, sign in (("a", "1"), ("b", "2"))
    ]

    by_file_system, by_machine = table(owner, runs, rows=("file_system",)), table(owner, runs)

    assert [entry["name"] for entry in by_file_system["differences"]] == ["machine"]
    assert by_file_system["differences"][0]["severe"]
    assert by_machine["differences"] == []


def test_caches_dropped_before_the_tool_help_its_first_test_alone(owner: User) -> None:
    def verdict(tests: list[str], chosen: str) -> str:
        results = [result(values(1e8, 3), test, **SIZES) for test in tests]
        run = store_run(owner, results=results, protocol=cold)
        content = table(owner, [run], filters={"test": (chosen,)})
        return str(content["groups"][0]["rows"][0]["cells"][0]["cache"]["reason"])

    cold = {"cache": "cold", "warmup_discarded": 0, "order": "interleaved", "prepare": "mkfs"}

    assert verdict(["read"], "read") == "dropped"
    # The page shows one test; the run had two, and the caches were full when the second one began.
    assert verdict(["write", "read"], "read") == "fits_in_memory"


@pytest.mark.parametrize(
    ("name", "rounds", "metric", "tests"),
    [
        ("wml", 1, "rate", ["All flowops", "Openfile", "Readwholefile", "Closefile"]),
        ("tree", 2, "rate", ["Directory create", "File create", "File remove", "Directory remove"]),
        ("age", 1, "rate", ["Age fill", "Age", "Age create", "Age delete"]),
        ("direct", 2, "throughput", ["Write", "Read", "Random write"]),
    ],
)
def test_what_fsload_printed_is_compared(owner: User, name: str, rounds: int, metric: str, tests: list[str]) -> None:
    text = (FSLOAD / f"fsload-{name}.jsonl").read_text()
    runs = [
        store_run(owner, output_document(text, "fsload.jsonl", target=target(file_system), rounds=rounds))
        for file_system in ("ext4", "xfs")
    ]

    content = table(owner, runs)

    assert [(head["metric"], head["label"]) for head in content["heads"]] == [(metric, test) for test in tests]
    cells = [cell for group in content["groups"] for row in group["rows"] for cell in row["cells"]]
    assert all(cell is not None and cell["mean"] > 0 for cell in cells)
    assert content["notes"] == []


def test_best_is_decided_along_the_rows(owner: User) -> None:
    content = table(owner, compared_runs(owner))

    best = [[cell.get("best", False) for cell in row["cells"]] for row in content["groups"][0]["rows"]]
    assert best == [[False, False], [True, True], [False, False]]


def test_a_tie_of_all_is_no_news(owner: User) -> None:
    content = table(owner, compared_runs(owner, {"ext4": 100 * MIB, "xfs": 100.1 * MIB}))

    assert not any(cell.get("best") for row in content["groups"][0]["rows"] for cell in row["cells"])


def test_runs_keep_the_order_in_which_they_were_chosen(owner: User) -> None:
    runs = compared_runs(owner)

    assert labels(table(owner, runs[::-1]))[1] == ["btrfs", "xfs", "ext4"]
    assert [run["label"] for run in table(owner, runs)["run_list"]] == ["ext4", "xfs", "btrfs"]


def test_the_baseline_is_in_the_query_of_the_table(owner: User) -> None:
    runs = compared_runs(owner)

    assert "baseline=ext4" in table(owner, runs)["query"]
    assert ids(runs) in table(owner, runs)["query"]


def test_values_without_cells_are_not_in_the_query_of_the_table(owner: User) -> None:
    elsewhere = store_run(owner, results=[result(values(1e8, 3), file_size=GIB, record_size=KIB)])
    runs = [*compared_runs(owner), elsewhere]
    filters = {"file_size": ("1G", "32G"), "record_size": ("1M",)}

    content = table(owner, runs, rows=("file_system", "file_size"), filters=filters)

    assert "file_size=32G&record_size=1M" in content["query"]
    assert labels(to_json(evaluate(Selection.parse(content["query"]), owner)[0])) == labels(content)


def test_chosen_runs_that_are_in_no_cell_are_counted(owner: User) -> None:
    runs = compared_runs(owner)
    other = store_run(owner, bonnie_document())
    elsewhere = store_run(owner, results=[result(values(1e8, 3), **SIZES)])

    content = table(owner, [*runs, other, elsewhere], rows=("file_system",))

    assert content["notes"] == [
        "Left out: 1 run of another tool (bonnie++).",
        "Left out: 1 run without a result for what is chosen.",
    ]
    assert table(owner, runs)["notes"] == []
