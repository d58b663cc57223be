"""The answer of a table: its sentences, its ranking, and what it leaves out."""

import re
from dataclasses import replace

import numpy as np
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.redaction import redacted
from benchdb.compare.table.answer.estimates import estimates_of
from benchdb.compare.table.answer.present import MOST_RANKED, TableAnswer, table_answer
from benchdb.compare.table.content import MeanRatio, MeanRatios, TableContent
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import grid_of
from benchdb.runs.cells.cell import Cell
from tests.support.comparing.comparisons import SPREAD, campaign, compared_runs, ids, values
from tests.support.comparing.contents import CACHED, cells, content
from tests.support.documents import GIB, KIB, MIB, environment, result
from tests.support.store import store_run

RNG = np.random.default_rng(29)


def around(mean: float, rounds: int = 8) -> list[float]:
    return (mean * np.exp(RNG.normal(0, 0.01, rounds))).tolist()


def table(means: dict[tuple[str, str, str], float], **options: object) -> TableContent:
    """A table of these means by (record size, file system, test); the first file system is the baseline."""
    made = dict(zip(means, cells([around(mean) for mean in means.values()]), strict=True))
    return content_of({key: replace(cell, test=key[2]) for key, cell in made.items()}, **options)


def content_of(made: dict[tuple[str, str, str], Cell], **options: object) -> TableContent:
    splits, rows, heads = (list(dict.fromkeys(key[axis] for key in made)) for axis in range(3))
    return content(rows, heads, made, splits=splits, **options)  # type: ignore[arg-type]


def found(made: TableContent) -> TableAnswer:
    answer = table_answer(grid_of(made))
    assert answer is not None
    return answer


def stored(owner: User, query: str) -> TableAnswer:
    return found(evaluate(Selection.parse(query), owner)[0])


def with_means(made: TableContent, gains: dict[str, float]) -> TableContent:
    """The table with geometric means of its first metric: these ratios, each with a narrow interval."""
    means = [
        MeanRatios(name, "throughput", MeanRatio(gain, gain / 1.01, gain * 1.01, 2, 0, [], kind), None, None)
        for name, gain in gains.items()
        for kind in ["equivalent" if gain == 1 else "better" if gain > 1 else "worse"]
    ]
    return replace(made, geometric_means=means)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def ranked(answer: TableAnswer) -> list[tuple[str, str, str]]:
    return [(row.label, row.kind, plain(row.change)) for row in answer.ranking]


def test_the_answer_is_the_geometric_mean_against_the_baseline(owner: User) -> None:
    means = {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 40 * MIB}
    answer = stored(owner, ids(compared_runs(owner, means, record_sizes=(64 * KIB, MIB))))

    assert re.fullmatch(
        r"xfs is fastest: 20(\.0)? % faster than ext4 \([\d.]+ % to [\d.]+ %\); "
        r"btrfs is slowest: 2\.50?× slower \(2\.\d+× to 2\.\d+×\)\.",
        plain(answer.sentence),
    )
    assert plain(answer.basis) == (
        "Throughput, n = 6 rounds of one run: geometric mean of 4 cells. Intervals are 95 % for both answers together."
    )
    assert [row[:2] for row in ranked(answer)] == [("xfs", "better"), ("ext4", "baseline"), ("btrfs", "worse")]
    assert {row.label: row.series for row in answer.ranking} == {"ext4": 1, "xfs": 2, "btrfs": 3}


def test_a_baseline_that_all_differ_from_in_one_direction_is_fastest_or_slowest() -> None:
    gains = {"ext4": 1.0, "xfs": 0.8, "btrfs": 0.5}
    means = {("", name, test): 1e8 * gain for name, gain in gains.items() for test in ("write", "read")}

    slower, faster = table(means), table({key: 1e16 / mean for key, mean in means.items()})
    assert found(with_means(slower, {"xfs": 0.8, "btrfs": 0.5})).sentence.startswith("ext4 is fastest: btrfs is 2")
    assert found(with_means(faster, {"xfs": 1.999, "btrfs": 2.0})).sentence.startswith("ext4 is slowest: btrfs is 2")


def test_a_value_is_fastest_only_if_its_interval_is_beyond_those_of_all_others() -> None:
    gains = {"ext4": 1.0, "xfs": 1.3, "btrfs": 1.2, "jfs": 0.9}
    made = table({("", name, test): 1e8 * gain for name, gain in gains.items() for test in ("write", "read")})

    def said(**means: float) -> str:
        return plain(found(with_means(made, means)).sentence)

    assert said(xfs=1.3, btrfs=1.2, jfs=0.9).startswith(
        "xfs is fastest: 30 % faster than ext4 (29 % to 31 %); jfs is slowest: 10.0 % slower (9.1 % to 10.9 %); "
    )
    assert said(xfs=1.3, btrfs=1.2, jfs=0.9).endswith("; btrfs is 20 % faster (19 % to 21 %).")
    assert "fastest" not in said(xfs=1.21, btrfs=1.2, jfs=0.9)
    assert "fastest" not in said(xfs=1.0, btrfs=0.8, jfs=0.7)  # xfs equals the baseline
    assert "slowest" not in said(xfs=1.3, btrfs=0.895, jfs=0.9)


def test_cells_that_differ_in_the_other_direction_are_said_beside_the_mean() -> None:
    gains = {"write": 1 / 2, "rewrite": 1 / 2, "read": 1.3, "reread": 1.3}
    made = table({("", name, test): 1e8 * gains[test] ** (name == "xfs") for name in ("ext4", "xfs") for test in gains})

    answer = found(with_means(made, {"xfs": 0.81}))
    assert re.fullmatch(
        r"xfs is [12][\d.]*× to 2[\d.]*× slower than ext4 in write and rewrite, "
        r"but 1[\d.]*× to 1[\d.]*× faster in read and reread; 19.0 % slower on average \(18.2 % to 19.8 %\)\.",
        plain(answer.sentence),
    )
    assert [part.kind for part in answer.metrics[0].lead if part.kind] == ["worse", "better"]


def test_failed_cells_are_in_the_first_sentences_and_other_cells_without_a_pair_in_the_basis() -> None:
    names, tests = ("ext4", "xfs", "btrfs"), ("write", "read", "reread")
    whole = table({("", name, test): 1e8 * (1.2 if name == "xfs" else 1) for name in names for test in tests})
    made = {
        ("", row.label, head.label): cell
        for row in whole.groups[0].rows
        for head, cell in zip(whole.heads, row.cells, strict=True)
    }
    failed = {
        "status": "failed",
        "error": "round 1: No space left on device",
        "mean": None,
        "sd": None,
        "n": None,
        "values": None,
    }
    answer = found(
        with_means(
            content_of(made | {("", "btrfs", "write"): replace(made["", "btrfs", "write"], **failed)}), {"xfs": 1.2}
        )
    )

    assert plain(answer.sentence).startswith(
        "xfs is 20 % faster than ext4 (19 % to 21 %). btrfs failed in 1 of 3 cells: No space left on device. "
    )
    assert "; 1 cell that not every file system has is left out. " in plain(answer.basis)


def test_an_interval_with_1_is_no_difference_and_equivalent_cells_are_equivalent(owner: User) -> None:
    def answer(share: float, noise: float) -> tuple[str, str]:
        shared = {"campaign": campaign()}
        runs = [
            store_run(
                owner,
                file_system=name,
                rounds=10,
                results=[
                    result((mean * np.exp(RNG.normal(0, noise, 10))).tolist(), test, file_size=GIB, record_size=MIB)
                    for test in ("write", "read")
                ],
                **shared,
            )
            for name, mean in (("ext4", 1e8), ("xfs", 1e8 * share))
        ]
        found = stored(owner, ids(runs))
        return next(row.kind for row in found.ranking if row.label == "xfs"), plain(found.sentence)

    kind, text = answer(1.0, 0.3)
    assert kind == "inconclusive"
    assert re.fullmatch(
        r"No difference from ext4 is shown for xfs; if there is one, it is below [\d.]+( %|×)\. "
        r"About \d+ more rounds of each would determine the ratio within ± 5 %\.",
        text,
    )
    assert answer(1.01, 0.001) == ("equivalent", "xfs equals ext4 within 5 %.")
    assert answer(1.5, 0.01)[0] == "better"


def test_many_equal_systems_have_no_answer_that_names_a_difference(owner: User) -> None:
    """Each mean alone would differ in every twentieth case; here in one of four, as a simulation of the rounds says."""
    rng = np.random.default_rng(6)
    runs = [
        store_run(
            owner,
            file_system=name,
            rounds=10,
            results=[result((1e8 * np.exp(rng.normal(0, 0.05, 10))).tolist(), test) for test in ("write", "read")],
        )
        for name in ("ext4", "xfs", "btrfs", "f2fs", "jfs", "nilfs2", "ext3", "ext2", "reiserfs", "bcachefs")
    ]
    made = evaluate(Selection.parse(ids(runs)), owner)[0]

    assert {row.kind for row in found(made).ranking} <= {"baseline", "equivalent", "inconclusive"}


def test_an_equal_mean_of_cells_that_differ_says_so() -> None:
    gains = {"write": 1.2, "read": 1 / 1.2, "mkdir": 1.0}
    made = table({("", name, test): 1e8 * gains[test] ** (name == "xfs") for name in ("ext4", "xfs") for test in gains})
    equal = MeanRatio(1.001, 0.99, 1.012, 3, 0, [], "equivalent")
    made = replace(made, geometric_means=[MeanRatios("xfs", "throughput", equal, None, None)])

    assert re.fullmatch(
        r"xfs equals ext4 within 5 % on average, but is [\d.]+ % faster in write, and [\d.]+ % slower in read\.",
        plain(found(made).sentence),
    )


def test_of_many_rivals_those_with_the_largest_differences_are_shown() -> None:
    gains = {"ext4": 1.0, **{f"fs{i}": 1.0 for i in range(MOST_RANKED)}, "slow": 0.5, "quick": 1.5}
    made = table({("", name, test): 1e8 * gain for name, gain in gains.items() for test in ("write", "read")})
    answer = found(with_means(made, {name: gain for name, gain in gains.items() if name != "ext4"}))

    labels = [row.label for row in answer.ranking]
    assert ((labels[0], labels[-1]), len(labels)) == (("quick", "slow"), MOST_RANKED)
    assert "ext4" in labels
    assert answer.left_out == "3 more values in the table"


def test_contents_of_the_first_release_keep_the_answers_of_their_intervals(owner: User) -> None:
    made = evaluate(Selection.parse(ids(compared_runs(owner))), owner)[0]
    first_release = replace(
        made,
        geometric_means=[
            replace(mean, device=mean.device and replace(mean.device, verdict=None)) for mean in made.geometric_means
        ],
    )

    answer = found(first_release)
    assert plain(answer.basis).endswith(" Intervals are 95 %.")
    assert {row.label: row.kind for row in answer.ranking}["xfs"] == "better"


def test_lower_is_better_says_the_change_of_the_figure(owner: User) -> None:
    runs = [
        store_run(
            owner,
            file_system=name,
            rounds=len(SPREAD),
            results=[
                result(values(mean), test, metric="elapsed", unit="s", file_size=None, record_size=None)
                for test in ("mkfs", "mount")
            ],
        )
        for name, mean in (("ext4", 10.0), ("xfs", 8.0), ("btrfs", 40.0))
    ]
    answer = stored(owner, ids(runs))

    assert [row[:2] for row in ranked(answer)] == [("xfs", "better"), ("ext4", "baseline"), ("btrfs", "worse")]
    assert re.search(
        r"^xfs is fastest: it takes 20[\d.]* % less time than ext4 .*; btrfs is slowest: it takes [34][\d.]*× longer",
        plain(answer.sentence),
    )


def test_one_cell_has_the_ratio_of_its_verdict(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB})
    made = evaluate(Selection.parse(f"{ids(runs)}&test=write"), owner)[0]
    (estimates,), cell = estimates_of(grid_of(made)), made.groups[0].rows[1].cells[0]

    assert cell is not None
    verdict = cell.verdict
    assert verdict is not None
    (xfs,) = estimates.estimates
    assert (xfs.kind, xfs.ratio, xfs.low, xfs.high) == ("better", verdict.ratio, verdict.low, verdict.high)
    assert plain(found(made).basis) == "Throughput, n = 6 rounds of one run: one cell each. Intervals are 95 %."


def test_cached_cells_count_nowhere_and_are_named() -> None:
    means = {
        (size, name, test): 1e8 * gain
        for size in ("64 KiB", "1 MiB")
        for name, gain in (("ext4", 1.0), ("xfs", 1.1))
        for test in ("write", "read", "reread")
    }
    made = {
        key: replace(
            cell, test=key[2], cache=CACHED if key[2] == "reread" or key[0:3:2] == ("1 MiB", "read") else cell.cache
        )
        for key, cell in zip(means, cells([around(mean) for mean in means.values()]), strict=True)
    }
    (estimates,) = estimates_of(grid_of(content_of(made)))

    assert estimates.in_memory == (["reread"], 1)
    assert [each.counts for each in estimates.estimates] == [{"better": 3}]
    assert "; reread and 1 more cell measured memory, at least in part, and are left out. " in plain(
        found(content_of(made)).basis
    )


def test_a_table_of_cached_cells_says_so(owner: User) -> None:
    made = evaluate(Selection.parse(ids(compared_runs(owner))), owner)[0]
    in_memory = replace(
        made,
        geometric_means=[replace(mean, cached=mean.device, device=None) for mean in made.geometric_means],
    )

    assert "of 2 cells, which measured memory, at least in part. " in found(in_memory).basis


def test_without_a_comparison_there_is_no_answer(owner: User) -> None:
    (run,) = compared_runs(owner, {"ext4": 100 * MIB})

    assert table_answer(grid_of(evaluate(Selection.parse(f"run={run.id}"), owner)[0])) is None


def test_failed_cells_only_make_one_honest_line() -> None:
    made = table({("1 MiB", name, test): 1e8 for name in ("ext4", "xfs") for test in ("write", "read")})
    failed = {
        (group.label, each.label, head.label): replace(cell, status="failed", mean=None, sd=None, n=None, values=None)
        for group in made.groups
        for each in group.rows
        for head, cell in zip(made.heads, each.cells, strict=True)
        if cell is not None
    }
    answer = found(content_of(failed))

    assert answer.ranking == []
    assert answer.sentence.startswith("Nothing can be compared with ext4. ")


def test_rows_without_common_cells_have_counts_instead_of_a_mean() -> None:
    answer = found(
        table(
            {
                ("1 MiB", name, test): 1e8 * (1.3 if name == "xfs" else 1.0)
                for name, tests in (
                    ("ext4", ("write", "read", "reread")),
                    ("xfs", ("write", "read")),
                    ("btrfs", ("reread",)),
                )
                for test in tests
            }
        )
    )

    assert answer.sentence.startswith("xfs is better than ext4 in 2 of 2 cells")
    assert "no mean" in answer.basis


def test_deleted_runs_are_in_no_part_of_the_answer(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 80 * MIB})
    made = evaluate(Selection.parse(ids(runs)), owner)[0]

    without_xfs = redacted(made, {str(runs[1].id)})
    without_ext4 = redacted(made, {str(runs[0].id)})

    assert isinstance(without_xfs, TableContent)
    assert [each.label for each in estimates_of(grid_of(without_xfs))[0].estimates] == ["btrfs"]
    assert "xfs" not in found(without_xfs).sentence
    assert isinstance(without_ext4, TableContent)
    assert found(without_ext4).ranking == []


def test_without_an_interval_nothing_is_tested_and_the_figures_are_said() -> None:
    means = {(name, test): 1e8 * gain for name, gain in (("ext4", 1.0), ("xfs", 1.09)) for test in ("write", "read")}
    made = {
        ("", name, test): replace(cell, n=1, sd=None, values=[mean], mean=mean, test=test)
        for ((name, test), mean), cell in zip(means.items(), cells([[1.0]] * len(means)), strict=True)
    }
    mean = MeanRatio(1.09, None, None, 2, 0, [], None)
    answer = found(replace(content_of(made), geometric_means=[MeanRatios("xfs", "throughput", mean, None, None)]))

    assert plain(answer.sentence) == "Not tested as a whole, against ext4: xfs is 9.0 % faster."
    assert plain(answer.basis).endswith("No interval is known.")
    assert [row[:2] for row in ranked(answer)] == [("xfs", "none"), ("ext4", "baseline")]


def test_each_metric_has_its_sentences_and_a_column_of_the_ranking(owner: User) -> None:
    runs = [
        store_run(
            owner,
            file_system=name,
            rounds=len(SPREAD),
            results=[
                result(values(rate), "write", file_size=GIB, record_size=MIB),
                result(values(latency), "write", metric="latency_p99", unit="s", file_size=GIB, record_size=MIB),
            ],
        )
        for name, rate, latency in (("ext4", 1e8, 0.01), ("xfs", 2e8, 0.03))
    ]
    answer = stored(owner, f"{ids(runs)}&metric=throughput&metric=latency_p99&columns=metric,test")

    assert answer.heads == ["Throughput", "P99 latency"]
    (xfs,) = (row for row in answer.ranking if row.label == "xfs")
    assert [kind for _, kind in [(xfs.change, xfs.kind), *xfs.others]] == ["better", "worse"]
    assert re.search(
        r"xfs is 2[\d.]*× faster than ext4 .*xfs has 3[\d.]*× longer p99 latency than ext4", answer.sentence
    )


def test_what_else_differs_is_said_once(owner: User) -> None:
    machine = environment()
    machine["memory"]["total"] *= 2
    runs = [
        store_run(owner, file_system=name, rounds=len(SPREAD), results=[result(values(1e8), "write")], **others)
        for name, others in (("ext4", {}), ("xfs", {"environment": machine}))
    ]

    assert re.fullmatch(
        r"Not only the file system differs: memory .+ \(ext4\), .+ \(xfs\)(; \d+ more differences?)?\.",
        plain(stored(owner, ids(runs)).warning),
    )
