"""Options of a table and their results: filters, order, factor, statistics, several runs in a cell."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import to_json
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import Selection
from benchdb.compare.table import build
from benchdb.compare.table import evaluate as table
from benchdb.compare.table.evaluate import evaluate
from benchdb.runs.models import Run, Summary
from tests.support.comparing.comparisons import campaign, compared_runs, ids, unknown_id, values
from tests.support.documents import GIB, KIB, MIB, document, result, target
from tests.support.html import read
from tests.support.store import store_run

Content = dict[str, Any]
SIZES: dict[str, Any] = {"file_size": GIB, "record_size": MIB}


def content_of(owner: User, runs: list[Run], query: str = "") -> Content:
    """The evaluated table of these runs, as JSON."""
    return to_json(evaluate(Selection.parse(f"{ids(runs)}&{query}"), owner)[0])


def labels(content: Content, axis: str = "rows") -> list[str]:
    parts = {"heads": content["heads"], "groups": content["groups"], "rows": content["groups"][0]["rows"]}
    return [part["label"] for part in parts[axis]]


def cell(content: Content, row: int = 0, column: int = 0, group: int = 0) -> Any:
    return content["groups"][group]["rows"][row]["cells"][column]


def mounted(*options: str) -> Content:
    return {"target": {**target("ext4"), "mount": {"options": ["rw", *options]}}}


def test_filters_keep_runs_and_set_the_order(owner: User) -> None:
    runs = compared_runs(owner)

    content = content_of(owner, runs, "file_system=btrfs&file_system=ext4&test=read&test=write")

    assert labels(content) == ["btrfs", "ext4"]
    assert labels(content, "heads") == ["Read", "Write"]
    assert (content["baseline"], len(content["runs"])) == ("btrfs", 2)


def test_runs_without_a_value_can_be_asked_for(owner: User) -> None:
    bare = {**target("xfs"), "stack": [{"kind": "disk", "model": "x"}], "scheduler": None}
    runs = [*compared_runs(owner, {"ext4": 1e8}), store_run(owner, target=bare)]

    assert labels(content_of(owner, runs, "raid_level=none")) == ["xfs"]
    assert labels(content_of(owner, runs, "scheduler=unknown&rows=scheduler")) == ["unknown"]
    with pytest.raises(ImpossibleSelection, match="No run has RAID level raid5; possible are raid6, none"):
        content_of(owner, runs, "raid_level=raid5")


LISTED = {"record_size": MIB, "file_sizes": [4096, MIB], "order": ["ascending", "random"]}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("label:patch", ["with", "no patch"]),
        ("mount_option:barrier", ["nobarrier", "barrier"]),
        ("mkfs_option:-b", ["-b 4096"]),
        ("parameter:record_size", ["record size 1 MiB"]),
        ("parameter:file_sizes", ["file sizes 4 KiB, 1 MiB", "default file sizes"]),
        ("parameter:order", ["order ascending, random", "default order"]),
        ("fill", ["about 10 %", "about 60 %"]),
        ("aging", ["aged, profile wang", "not aged"]),
        ("os", ["Debian GNU/Linux 12 (bookworm)"]),
    ],
)
def test_keys_and_states_are_dimensions(owner: User, rows: str, expected: list[str]) -> None:
    runs = [
        store_run(
            owner,
            labels={"patch": "with"},
            workload={**document()["workload"], "parameters": LISTED},
            state_before={"fill": 0.11, "aging": {"profile": "wang", "digest": "3563dff5"}},
            **mounted("barrier=0"),
        ),
        store_run(owner, labels={}, state_before={"fill": 0.61}, **mounted("barrier=1")),
    ]

    assert labels(content_of(owner, runs, f"rows={rows}")) == expected


def test_only_one_axis_of_runs_keeps_their_order(owner: User) -> None:
    runs = compared_runs(owner, {"xfs": 1e8, "ext4": 1e8, "btrfs": 1e8})

    assert labels(content_of(owner, runs, "rows=file_system,kernel"))[0].startswith("xfs · ")
    by_test = content_of(owner, runs, "rows=test,file_system&columns=metric")
    assert labels(by_test)[:4] == ["Write · xfs", "Write · ext4", "Write · btrfs", "Read · xfs"]


def test_cells_are_compared_along_the_factor_only(owner: User) -> None:
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))

    content = content_of(owner, runs, "rows=record_size,file_system&factor=file_system&baseline=xfs")

    rows = content["groups"][0]["rows"]
    assert labels(content)[:2] == ["64 KiB records · ext4", "64 KiB records · xfs"]
    assert [row["baseline"] for row in rows] == [False, True, False] * 2
    assert [cell(content, row)["verdict"]["kind"] for row in (0, 2, 3, 5)] == ["worse"] * 4
    assert cell(content, 1)["verdict"] is None
    assert cell(content, 4)["best"]


def test_columns_can_be_what_is_compared(owner: User) -> None:
    content = content_of(owner, compared_runs(owner), "rows=test&columns=file_system&factor=file_system")

    assert [head["baseline"] for head in content["heads"]] == [True, False, False]
    baseline, *compared = content["groups"][0]["rows"][0]["cells"]
    assert baseline["verdict"] is None
    assert [entry["verdict"]["kind"] for entry in compared] == ["better", "equivalent"]
    assert content["factor"] == {"names": ["file_system"], "label": "file system"}


def test_a_margin_decides_what_is_equivalent(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 1e8, "btrfs": 1.01e8})

    assert cell(content_of(owner, runs), 1)["verdict"]["kind"] == "equivalent"
    assert cell(content_of(owner, runs, "margin=0.5%"), 1)["verdict"]["kind"] == "better"


def test_the_correction_is_over_the_whole_table(owner: User) -> None:
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))

    def adjusted(query: str) -> list[float]:
        content = content_of(owner, runs, query)
        return [
            cell(content, row, column, group)["verdict"]["p_adjusted"]
            for group in (0, 1)
            for row in (1, 2)
            for column in (0, 1)
        ]

    rates, holm = adjusted(""), adjusted("correction=holm")
    alone = cell(content_of(owner, runs, "test=write&record_size=1M&file_system=ext4&file_system=xfs"), 1)["verdict"]
    assert all(strict >= rate for strict, rate in zip(holm, rates, strict=True))
    assert max(holm) > alone["p_adjusted"] == pytest.approx(alone["p"] / 0.9)  # the share of the first look


@pytest.mark.parametrize(("statistic", "text"), [("median", "99.95"), ("minimum", "99.50"), ("maximum", "100.60")])
def test_another_statistic_is_the_large_number(client: Client, owner: User, statistic: str, text: str) -> None:
    runs = compared_runs(owner)

    page = read(client.get(f"/compare/?{ids(runs)}&statistic={statistic}"))

    texts = [cell.text for (_, row, head), cell in page.values("comparison").items() if head.startswith("Write")]
    assert texts[-1] == text
    assert "20.0 % faster" in texts[0]
    assert "verdicts compare means" in page.text


def test_a_published_mean_has_no_median(owner: User) -> None:
    given = result(None, summary={"n": 10, "mean": 1e8, "sd": 1e6}, **SIZES)

    content = content_of(owner, [store_run(owner, results=[given])], "statistic=median")

    assert cell(content)["text"]["shown"] == "unknown"


def test_published_figures_have_what_follows_from_them(owner: User) -> None:
    given = [{"n": 10, "mean": 1e8, "sd": 1e6}, {"mean": 1.1e8, "sd": 1e6}, {"n": 1, "mean": 1.2e8, "sd": 1e6}]
    runs = [
        store_run(owner, file_system=name, results=[result(None, summary=summary, **SIZES)])
        for name, summary in zip(("ext4", "xfs", "btrfs"), given, strict=True)
    ]

    content = content_of(owner, runs)
    known, without_n, single = (cell(content, row) for row in range(3))
    assert content["groups"][0]["n"] == "n = 1 to 10 rounds or unknown"

    assert (known["n"], known["low"]) == (10, pytest.approx(1e8 - 2.262157 * 1e6 / 10**0.5))
    assert (without_n["n"], without_n["text"]["sd"]) == (None, "0.95")
    assert [[warning["code"] for warning in entry["warnings"]] for entry in (known, without_n, single)] == [
        [],
        ["n_unknown"],
        ["one_value"],
    ]
    assert single["sd"] is None
    assert [entry["verdict"]["reason"] for entry in (without_n, single)] == ["n_unknown", "too_few_values"]


def test_published_figures_are_judged_by_their_clock(owner: User) -> None:
    runs = [
        store_run(
            owner,
            file_system=name,
            results=[result(None, summary={"n": 10, "mean": mean, "sd": 1e6}, file_size=64 * KIB, record_size=4 * KIB)],
        )
        for name, mean in (("ext4", 64 * KIB * 1e6), ("xfs", 64 * KIB * 2e5))
    ]

    content = content_of(owner, runs)

    assert [cell(content, row)["clock"]["verdict"] for row in (0, 1)] == ["unusable", "unusable"]
    assert cell(content, 1)["verdict"]["reason"] == "clock"


def test_published_figures_show_before_anything_follows_from_them(owner: User) -> None:
    run = store_run(owner, results=[result(None, summary={"n": 10, "mean": 1e8, "sd": 1e6}, **SIZES)])
    Summary.objects.filter(run=run).delete()

    shown = cell(content_of(owner, [run]))

    assert (shown["status"], shown["n"], shown["mean"], shown["sd"]) == ("ok", 10, 1e8, 1e6)


def test_who_cannot_be_tested_makes_nobody_the_best(owner: User) -> None:
    tied = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 100.1 * MIB})
    slower = result([50.0 * MIB], file_size=32 * GIB, record_size=MIB)
    content = content_of(owner, [*tied, store_run(owner, file_system="btrfs", rounds=1, results=[slower])])

    assert [cell(content, row)["n"] for row in range(3)] == [6, 6, 1]
    assert not any(cell(content, row).get("best") for row in range(3))


def test_runs_that_meet_show_what_varies_between_and_inside_them(owner: User) -> None:
    runs = [run for mean in (100 * MIB, 104 * MIB, 110 * MIB) for run in compared_runs(owner, {"ext4": mean})]

    met = cell(content_of(owner, runs))

    assert (met["n"], met["values"]) == (3, pytest.approx([100 * MIB, 104 * MIB, 110 * MIB]))
    assert (met["sd"], met["within_sd"]) == (pytest.approx(5.03 * MIB, rel=1e-3), pytest.approx(0.46 * MIB, rel=0.05))
    assert met["between_sd"] == pytest.approx((met["sd"] ** 2 - met["within_sd"] ** 2 / 6) ** 0.5)
    assert met["inside"] == []


def test_cells_of_fewer_runs_are_not_said_to_miss_rounds(owner: User) -> None:
    two = [run for mean in (1e8, 1.02e8) for run in compared_runs(owner, {"ext4": mean})]
    three = [run for mean in (1e8, 1.02e8, 1.01e8) for run in compared_runs(owner, {"xfs": mean})]

    content = content_of(owner, [*two, *three])

    assert [cell(content, row)["n"] for row in (0, 1)] == [2, 3]
    assert "missing_rounds" not in [w["code"] for row in (0, 1) for w in cell(content, row)["warnings"]]


def test_geometric_means_over_the_cells_that_all_have(owner: User) -> None:
    runs = compared_runs(owner)
    failed = result([None] * 6, "rewrite", status="failed", error="no space", file_size=32 * GIB, record_size=MIB)
    more = store_run(
        owner,
        file_system="zfs",
        rounds=6,
        results=[
            result(values(50 * MIB), file_size=32 * GIB, record_size=MIB),
            result(values(100 * MIB), "read", file_size=32 * GIB, record_size=MIB),
            failed,
        ],
    )

    means = {row["row"]: row for row in content_of(owner, [*runs, more])["geometric_means"]}

    assert (list(means), means["xfs"]["device"]["ratio"]) == (["xfs", "btrfs", "zfs"], pytest.approx(1.2))
    assert (means["zfs"]["device"]["ratio"], means["xfs"]["device"]["cells"]) == (pytest.approx(0.5), 2)
    assert means["xfs"]["device"]["low"] < 1.2 < means["xfs"]["device"]["high"]
    assert means["xfs"]["cached"] is None


def test_memory_and_the_device_have_no_verdict_no_best_no_finding_and_no_share_in_a_mean(owner: User) -> None:
    tests = ("write", "rewrite", "read")

    def run(name: str, mean: float, cached: str = "") -> Run:
        results = []
        for test in tests:
            moved = 0 if test == cached else GIB
            evidence = {"device_read_bytes": moved, "device_write_bytes": moved, "logical_bytes": GIB}
            measured = values(mean * (9 if test == cached else 1))
            results.append(result(measured, test, file_size=GIB, record_size=MIB, evidence=evidence))
        return store_run(owner, file_system=name, rounds=6, results=results)

    runs = [run("ext4", 1e8), run("xfs", 1.2e8, cached="read"), run("btrfs", 1.1e8)]

    content = content_of(owner, runs)

    reads = [cell(content, row, 2) for row in range(3)]
    assert [each["cache"]["verdict"] for each in reads] == ["device", "cached", "device"]
    assert (reads[1]["verdict"]["kind"], reads[1]["verdict"]["reason"]) == ("none", "cache")
    assert reads[1]["verdict"]["ratio"] is None
    assert reads[1]["verdict"]["why"] == "One side measured memory, the other the device. These cannot be compared."
    assert reads[2]["verdict"]["kind"] == "better"  # both on the device
    assert [each["best"] for each in reads] == [False] * 3
    assert [cell(content, row, 0)["best"] for row in range(3)] == [False, True, False]
    assert [row["device"]["cells"] for row in content["geometric_means"]] == [2, 2]
    assert [row["cached"] for row in content["geometric_means"]] == [None, None]
    assert any("These cannot be compared." in finding["text"] for finding in content["findings"])
    assert not any("×" in finding["text"] for finding in content["findings"])


def test_geometric_means_are_all_over_the_same_cells(owner: User) -> None:
    def run(name: str, mean: float, *tests: str) -> Run:
        results = [result(values(mean), test, file_size=32 * GIB, record_size=MIB) for test in tests]
        return store_run(owner, file_system=name, rounds=6, results=results)

    tests = ("write", "read", "reread", "rewrite")
    runs = [run("ext4", 1e8, *tests), run("xfs", 2e8, *tests), run("jfs", 2e8, *tests[:2]), run("zfs", 3e8, *tests[2:])]

    assert content_of(owner, runs)["geometric_means"] == []
    assert [row["row"] for row in content_of(owner, runs[:3])["geometric_means"]] == ["xfs", "jfs"]


def test_metrics_of_both_directions_are_one_family(owner: User) -> None:
    def run(name: str, speed: float, seconds: float) -> Run:
        results = [result(values(speed), **SIZES), result(values(seconds), "write", "elapsed", "s", **SIZES)]
        return store_run(owner, file_system=name, rounds=6, results=results)

    content = content_of(owner, [run("ext4", 1e8, 10.0), run("xfs", 2e8, 5.0)], "columns=test,metric")

    assert [cell(content, 1, column)["verdict"]["kind"] for column in (0, 1)] == ["better", "better"]
    assert [cell(content, 1, column)["verdict"]["ratio"] for column in (0, 1)] == pytest.approx([2.0, 0.5])
    assert labels(content, "heads") == ["Write · throughput", "Write · elapsed"]


def test_several_campaigns_and_runs_are_one_table(owner: User) -> None:
    first, second = compared_runs(owner, {"ext4": 1e8}), compared_runs(owner, {"xfs": 1e8})
    named = compared_runs(owner, {"btrfs": 1e8})
    of = [f"campaign={runs[0].campaign_id}" for runs in (second, first)]

    assert labels(content_of(owner, named, "&".join(of))) == ["btrfs", "xfs", "ext4"]
    assert labels(content_of(owner, first, of[1])) == ["ext4"]
    with pytest.raises(NothingThere, match="There is no campaign"):
        content_of(owner, named, f"{of[0]}&campaign={unknown_id()}")


def test_more_than_a_page_can_hold_is_refused(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = compared_runs(owner)
    for module, name, fault in (
        (table, "MOST_RESULTS", "would hold 6 results, 5 at most"),
        (table, "MOST_VALUES", "would compare 36 values, 5 at most"),
        (build, "MOST_CELLS", "would have 6 places, 5 at most"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(module, name, 5)
            with pytest.raises(ImpossibleSelection, match=fault):
                content_of(owner, runs)


def test_params_can_be_rows_and_filters(owner: User) -> None:
    results = [result(values(1e8, 3), params=params, **SIZES) for params in ({}, {"view": "min"}, {"view": "max"})]
    run = store_run(owner, results=results)

    assert labels(content_of(owner, [run], "rows=params")) == ["no parameters", "view min", "view max"]
    asked = content_of(owner, [run], "params=view=min")
    assert asked["notes"] == []
    assert cell(asked)["ordinals"] == [1]


def test_a_run_names_its_parse_and_its_kernel(owner: User) -> None:
    (line,) = content_of(owner, [store_run(owner, campaign=campaign())])["run_list"]

    assert (line["parse"], line["kernel"]) == (1, "6.1.0-28-amd64")
    assert line["parser_version"]
