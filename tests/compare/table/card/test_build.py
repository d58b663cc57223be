"""The answers of a card, its effects, its matrix, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from django.contrib.auth.models import User
from scipy import stats

from benchdb.compare.query.selection import Selection
from benchdb.compare.redaction import redacted
from benchdb.compare.table.card.build import MOST_COMPARED, MOST_ROWS, card_of
from benchdb.compare.table.card.facts import CardRow, VerdictCard
from benchdb.compare.table.content import MeanRatio, MeanRatios, TableContent
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import grid_of
from benchdb.runs.cells.cell import Cell
from tests.support.comparing.comparisons import SPREAD, campaign, compared_runs, ids, values
from tests.support.comparing.contents import CACHED, CPU, cells, content
from tests.support.documents import GIB, KIB, MIB, result
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


def found(made: TableContent) -> VerdictCard:
    card = card_of(grid_of(made))
    assert card is not None
    return card


def stored(owner: User, query: str) -> VerdictCard:
    return found(evaluate(Selection.parse(query), owner)[0])


def row(card: VerdictCard, label: str) -> CardRow:
    return next(each for each in card.rows if each.label == label)


def test_the_line_is_the_geometric_mean_against_the_baseline(owner: User) -> None:
    means = {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 80 * MIB}
    card = stored(owner, ids(compared_runs(owner, means, record_sizes=(64 * KIB, MIB))))

    (line,) = card.lines
    assert [(each.compared.label, each.kind, each.text) for each in line.answers] == [
        ("xfs", "better", "+20.0 %"),
        ("btrfs", "worse", "−20.0 %"),
    ]
    assert line.basis == "throughput, geometric mean of 4 cells on the device, 95 % intervals over all answers"
    assert card.sentence.startswith("xfs +20.0 %, btrfs −20.0 % against ext4 (throughput, geometric mean of 4 cells")
    assert [each.series for each in card.compared] == [2, 3]


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
        (each,) = stored(owner, ids(runs)).lines[0].answers
        return each.kind, each.text

    kind, text = answer(1.0, 0.3)
    assert kind == "inconclusive"
    bound = float(text.removeprefix("no difference above ").removesuffix(" %"))
    assert 1 < bound < 100
    assert answer(1.01, 0.001)[0] == "equivalent"
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

    assert {answer.kind for line in found(made).lines for answer in line.answers} <= {"equivalent", "inconclusive"}


def test_an_equal_mean_of_cells_that_differ_says_so() -> None:
    gains = {"write": 1.2, "read": 1 / 1.2, "mkdir": 1.0}
    made = table({("", name, test): 1e8 * gains[test] ** (name == "xfs") for name in ("ext4", "xfs") for test in gains})
    equal = MeanRatio(1.001, 0.99, 1.012, 3, 0, [], "equivalent")
    made = replace(made, geometric_means=[MeanRatios("xfs", "throughput", equal, None, None)])

    (answer,) = found(made).lines[0].answers
    assert (answer.kind, answer.text) == (
        "equivalent",
        "equal within 5 % on average, better in 1 and worse in 1 of 3 cells",
    )


def test_of_many_rivals_those_with_the_largest_differences_are_shown() -> None:
    gains = {"ext4": 1.0, **{f"fs{i}": 1.0 for i in range(MOST_COMPARED)}, "slow": 0.5, "quick": 1.5}
    card = found(table({("", name, test): 1e8 * gain for name, gain in gains.items() for test in ("write", "read")}))

    assert ([each.label for each in card.compared][-2:], len(card.compared)) == (["slow", "quick"], MOST_COMPARED)


def test_contents_of_the_first_release_keep_the_answers_of_their_intervals(owner: User) -> None:
    made = evaluate(Selection.parse(ids(compared_runs(owner))), owner)[0]
    first_release = replace(
        made,
        geometric_means=[
            replace(mean, device=mean.device and replace(mean.device, verdict=None)) for mean in made.geometric_means
        ],
    )

    (line,) = found(first_release).lines
    assert line.basis.endswith(", 95 % intervals")
    assert [each.kind for each in line.answers] == ["better", "equivalent"]


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
    card = stored(owner, ids(runs))

    xfs, btrfs = card.lines[0].answers
    assert (xfs.kind, xfs.text) == ("better", "20.0 % less time")
    assert (btrfs.kind, btrfs.text) == ("worse", "time × 4")


def test_one_cell_has_the_ratio_of_its_verdict(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB})
    made = evaluate(Selection.parse(f"{ids(runs)}&test=write"), owner)[0]
    card, cell = found(made), made.groups[0].rows[1].cells[0]

    assert cell is not None
    verdict = cell.verdict
    assert verdict is not None
    effect = row(card, "Write").effects[0]
    assert effect is not None
    assert (effect.ratio, effect.low, effect.high) == (verdict.ratio, verdict.low, verdict.high)
    assert card.lines[0].basis == "throughput, one cell on the device, 95 % intervals"
    assert card.lines[0].answers[0].kind == "better"


def test_several_cells_of_a_test_have_the_interval_of_their_rounds() -> None:
    """Welch's t-test on the means of the logarithms of each round."""
    made = {
        (size, name, "write"): around(mean)
        for size in ("64 KiB", "1 MiB")
        for name, mean in (("ext4", 1e8), ("xfs", 1.1e8))
    }
    card = found(
        content_of({key: replace(cell, test="write") for key, cell in zip(made, cells([*made.values()]), strict=True)})
    )

    sides = [
        np.log([made["64 KiB", name, "write"], made["1 MiB", name, "write"]]).mean(axis=0) for name in ("ext4", "xfs")
    ]
    low, high = np.exp(stats.ttest_ind(sides[1], sides[0], equal_var=False).confidence_interval())
    # Record sizes are the rows of a card of one test, so the mean of the test is that of two tests.
    assert [each.label for each in card.rows] == ["64 KiB records", "1 MiB records"]
    two = {**{(size, name, "read"): data for (size, name, _), data in made.items()}, **made}
    several = found(
        content_of({key: replace(cell, test=key[2]) for key, cell in zip(two, cells([*two.values()]), strict=True)})
    )
    effect = row(several, "Write").effects[0]
    assert effect is not None
    assert (effect.low, effect.high) == (pytest.approx(low, rel=1e-9), pytest.approx(high, rel=1e-9))
    assert effect.ratio == pytest.approx(np.exp(sides[1].mean() - sides[0].mean()), rel=1e-9)


def test_rounds_are_paired_if_those_of_the_whole_table_are(owner: User) -> None:
    days = RNG.normal(0, 0.2, 8)
    noise = RNG.normal(0, 0.02, (2, 2, 2, 8))
    shared = {"campaign": campaign()}
    runs = [
        store_run(
            owner,
            file_system=name,
            rounds=8,
            results=[
                result(np.exp(np.log(1e8) + days + noise[i, t, s]).tolist(), test, file_size=32 * GIB, record_size=size)
                for t, test in enumerate(("write", "read"))
                for s, size in enumerate((64 * KIB, MIB))
            ],
            **shared,
        )
        for i, name in enumerate(("ext4", "xfs"))
    ]
    effect = row(stored(owner, ids(runs)), "Write").effects[0]

    low, high = np.exp(stats.ttest_1samp((noise[1, 0] - noise[0, 0]).mean(axis=0), 0).confidence_interval())
    assert effect is not None
    assert (effect.low, effect.high) == (pytest.approx(low, rel=1e-6), pytest.approx(high, rel=1e-6))


def test_cells_without_an_interval_are_dots() -> None:
    made = {
        (size, name, test): replace(cell, n=1, sd=None, values=[mean], mean=mean, test=test)
        for (size, name, test, mean), cell in zip(
            [
                (size, name, test, 1e8 * gain)
                for size in ("64 KiB", "1 MiB")
                for name, gain in (("ext4", 1.0), ("xfs", 1.1))
                for test in ("write", "read")
            ],
            cells([[1.0]] * 8),
            strict=True,
        )
    }
    effect = row(found(content_of(made)), "Write").effects[0]

    assert effect is not None
    assert (effect.low, effect.high) == (None, None)
    assert effect.dots == (pytest.approx(1.1), pytest.approx(1.1))


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
    card = found(content_of(made))

    assert [each.label for each in card.rows] in (["Write", "Read"], ["Read", "Write"])
    (signs,) = row(card, "Read").signs
    assert [[sign.kind for sign in place] for place in signs] == [["better"], ["cached"]]
    assert "Left out because memory was measured, at least in part: Reread." in card.notes


def test_a_table_of_cached_cells_says_so(owner: User) -> None:
    made = evaluate(Selection.parse(ids(compared_runs(owner))), owner)[0]
    in_memory = replace(
        made,
        geometric_means=[replace(mean, cached=mean.device, device=None) for mean in made.geometric_means],
    )

    basis = found(in_memory).lines[0].basis
    assert basis.endswith("of 2 cells, in memory at least in part, 95 % intervals over all answers")


def test_the_matrix_is_by_test_and_record_size_with_links() -> None:
    card = found(
        table(
            {
                (size, name, test): 1e8 * (gain if size == "1 MiB" else 1.0)
                for size in ("64 KiB", "1 MiB")
                for name, gain in (("ext4", 1.0), ("xfs", 1.2), ("btrfs", 0.8))
                for test in ("write", "read")
            }
        )
    )

    assert (card.heads, card.head_name) == (["64 KiB", "1 MiB"], "record size")
    xfs, btrfs = row(card, "Read").signs
    assert [(sign.kind, sign.key, sign.number) for place in xfs for sign in place] == [
        ("equivalent", "0-1-1", 1),
        ("better", "1-1-1", 1),
    ]
    assert [sign.kind for place in btrfs for sign in place] == ["equivalent", "worse"]


def test_rows_are_sorted_by_effect_and_sizes_keep_their_order() -> None:
    by_test = found(
        table(
            {
                ("1 MiB", name, test): 1e8 * (gain if name == "xfs" else 1.0)
                for name in ("ext4", "xfs")
                for test, gain in (("write", 0.7), ("read", 1.5), ("reread", 1.1))
            }
        )
    )
    by_size = found(
        table(
            {
                (size, name, "write"): 1e8 * (gain if name == "xfs" else 1.0)
                for size, gain in (("64 KiB", 0.7), ("1 MiB", 1.5), ("4 MiB", 1.1))
                for name in ("ext4", "xfs")
            }
        )
    )

    assert [each.label for each in by_test.rows] == ["Read", "Reread", "Write"]
    assert [each.label for each in by_size.rows] == ["64 KiB records", "1 MiB records", "4 MiB records"]


def test_a_lower_metric_is_sorted_by_its_gain() -> None:
    card = found(
        table(
            {
                ("1 MiB", name, test): gain if name == "xfs" else 1.0
                for name in ("ext4", "xfs")
                for test, gain in (("write", 2.0), ("read", 0.5))
            },
            measures={"write": CPU, "read": CPU},
        )
    )

    assert [each.label for each in card.rows] == ["Read", "Write"]
    assert not any(each.higher_is_better for each in card.rows)


def test_large_tables_are_cut_and_say_so() -> None:
    names = ["ext4", *(f"fs{i}" for i in range(MOST_COMPARED + 2))]
    tests = [f"test_{i}" for i in range(MOST_ROWS[MOST_COMPARED] + 3)]
    card = found(table({("1 MiB", name, test): 1e8 for name in names for test in tests}))

    assert (len(card.compared), len(card.rows)) == (MOST_COMPARED, MOST_ROWS[MOST_COMPARED])
    assert card.notes == [
        "Shown are 6 of 8 values of file system and 10 of 13 rows, those with the largest differences; "
        "the table below has all."
    ]


def test_the_matrix_has_room_for_those_that_differ_most() -> None:
    means = {"ext2": 100.0, "ext3": 100.0, "ext4": 150.0, "xfs": 60.0, "btrfs": 40.0}
    sizes = ("4 KiB", "1 MiB")
    of_sizes = found(table({(size, name, "write"): mean for size in sizes for name, mean in means.items()}))
    of_tests = found(table({("4 KiB", name, test): mean for name, mean in means.items() for test in ("write", "read")}))
    both = found(
        table(
            {(size, name, test): mean for size in sizes for name, mean in means.items() for test in ("write", "read")}
        )
    )

    assert [each.label for each in both.judged] == ["ext4", "xfs", "btrfs"]
    assert both.notes == [
        "Shown are the verdicts of 3 of 4, those with the largest differences; the table below has all."
    ]
    for without_heads in (of_sizes, of_tests):
        assert (without_heads.judged, without_heads.notes) == (without_heads.compared, [])


def test_rows_without_a_ratio_are_only_named() -> None:
    made = {("1 MiB", name, test): 1e8 for name in ("ext4", "xfs") for test in ("write", "read")}
    unmeasured = dict(zip(made, cells([around(mean) for mean in made.values()]), strict=True))
    unmeasured = {
        key: replace(cell, test=key[2])
        if key[2] == "write"
        else replace(cell, test=key[2], status="unmeasurable", mean=None, sd=None, n=None, values=None)
        for key, cell in unmeasured.items()
    }
    card = found(content_of(unmeasured))

    assert ([each.label for each in card.rows], card.notes) == (["Write"], ["No ratio: Read."])


def test_without_a_comparison_there_is_no_card(owner: User) -> None:
    (run,) = compared_runs(owner, {"ext4": 100 * MIB})

    assert card_of(grid_of(evaluate(Selection.parse(f"run={run.id}"), owner)[0])) is None


def test_failed_cells_only_make_one_honest_line() -> None:
    made = table({("1 MiB", name, test): 1e8 for name in ("ext4", "xfs") for test in ("write", "read")})
    failed = {
        (group.label, each.label, head.label): replace(cell, status="failed", mean=None, sd=None, n=None, values=None)
        for group in made.groups
        for each in group.rows
        for head, cell in zip(made.heads, each.cells, strict=True)
        if cell is not None
    }
    card = found(content_of(failed))

    assert (card.lines, card.rows) == ([], [])
    assert card.notes[0].startswith("There is no ratio to ext4. ")


def test_rows_without_common_cells_have_counts_instead_of_a_mean() -> None:
    card = found(
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

    xfs, btrfs = card.lines[0].answers
    assert (xfs.kind, xfs.text) == ("better", "better in 2 of 2 cells")
    assert (btrfs.kind, btrfs.text) == ("inconclusive", "no clear difference in 1 cell")
    assert "no mean" in card.lines[0].basis


def test_deleted_runs_are_in_no_part_of_the_card(owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 100 * MIB, "xfs": 120 * MIB, "btrfs": 80 * MIB})
    made = evaluate(Selection.parse(ids(runs)), owner)[0]

    without_xfs = redacted(made, {str(runs[1].id)})
    without_ext4 = redacted(made, {str(runs[0].id)})

    assert isinstance(without_xfs, TableContent)
    assert [each.label for each in found(without_xfs).compared] == ["btrfs"]
    assert isinstance(without_ext4, TableContent)
    assert found(without_ext4).rows == []
