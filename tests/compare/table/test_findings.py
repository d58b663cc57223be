"""Findings: statements about a table, which never go beyond its tests."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdb.compare.table.content import Finding
from benchdb.compare.table.content import cells as cells_of
from benchdb.compare.table.findings import findings
from benchdb.compare.table.findings.finding import MOST_WORDS
from benchdb.compare.table.grid import grid_of
from benchdb.compare.table.page import show_findings
from benchdb.runs.cells.warnings import with_sentence as said_in_words
from benchdb.stats import StatisticsWarning, WarningCode
from tests.support.comparing.contents import CACHED, CPU, LATENCY, THROUGHPUT, cells, failed
from tests.support.comparing.simulated import FILE_SYSTEMS, SIZES, TESTS, cell, table, texts


def test_each_row_against_the_baseline_with_its_largest_gain_and_loss() -> None:
    effects = {("xfs", "Write"): 1.2, ("xfs", "Random read"): 1.3, ("xfs", "fread"): 0.8, ("btrfs", "fread"): 1.5}

    statements = texts(table(lambda _, row, head: effects.get((row, head), 1.0), noise=0.001))

    assert statements[:2] == [
        "btrfs is better than ext4 in fread (1.50× faster, 95 % interval 1.50× to 1.50×); "
        "2 are equal within the margin.",
        "xfs is better than ext4 in 2 of 3 cells, most in random read (30.0 % faster, 95 % interval 29.9 % to 30.1 %). "
        "It is worse than ext4 in fread (20.0 % slower, 95 % interval 19.9 % to 20.1 %).",
    ]
    assert statements[2] == "xfs is best in 2 of 3 comparisons, btrfs in 1."


XFS = {"ext4": 1.0, "xfs": 2.0, "btrfs": 1.0}
PEAK = {"1": 1.0, "8": 4.0, "32": 2.0}
LONGER = {"1 MiB": 1.0, "4 MiB": 4.0, "16 MiB": 16.0}
ONE: dict[str, Any] = {"rows": ("ext4",), "heads": ("Write",), "noise": 0.001}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"effect": lambda _, row, __: XFS[row], "heads": ("Write", "Read"), "rows": ("ext4", "xfs")},
            "xfs is better than ext4 in both cells, most in read (2",
        ),
        (
            {"effect": lambda _, row, __: XFS[row]},
            "btrfs does not differ from ext4 by more than 5 % in any of 3 cells.",
        ),
        (
            {"effect": lambda _, row, __: 1.2 if row == "xfs" else 1.0, **ONE, "rows": ("ext4", "xfs")},
            "xfs is better than ext4 (19.96 % faster, 95 % interval 19.89 % to 20.02 %).",
        ),
        (
            {"effect": lambda split, *_: PEAK[split], **ONE, "splits": tuple(PEAK), "split": "threads"},
            "Throughput is best at 8 threads: 4.00× faster (95 % interval 4.00× to 4.00×) against 1, ",
        ),
        (
            {"effect": lambda _, __, head: 1 / int(head), "heads": ("1", "2"), "head": "threads", "rows": ("ext4",)},
            "Throughput worsens from 1 to 2 threads: 2.01× slower (95 % interval 2.00× to 2.02×).",
        ),
        # Larger records take longer anyway.
        ({"effect": lambda split, *_: LONGER[split], **ONE, "splits": SIZES, "measures": {"Write": LATENCY}}, None),
    ],
)
def test_what_a_table_says(fields: Any, said: str | None) -> None:
    found = texts(table(**fields))

    assert any(text.startswith(said) for text in found) if said else not found


def test_nothing_differs() -> None:
    (found,) = findings(grid_of(table(noise=0.005)))

    assert found.text == "Nothing differs by more than 5 %, in any of 6 comparisons."
    assert found.p_adjusted is None
    assert len(found.cells) == 9


def test_what_a_size_does_on_each_row() -> None:
    """The article's finding: random read doubles from 1 MiB to 16 MiB records, write does not change."""

    def effect(split: str, row: str, head: str) -> float:
        return {"1 MiB": 0.5, "4 MiB": 0.8, "16 MiB": 1.0}[split] if head == "Random read" else 1.0

    made = table(effect, splits=SIZES, noise=0.001)
    by_text = {finding.text: finding for finding in findings(grid_of(made))}

    assert list(by_text) == [
        "Nothing differs by more than 5 %, in any of 18 comparisons.",
        "Random read doubles from 1 MiB to 16 MiB records: 2.00× faster on ext4, 2.00× faster on btrfs and 2.00× "
        "faster on xfs (95 % intervals within 2.00× to 2.00×).",
        "Write and fread do not depend on the record size (1 MiB to 16 MiB): within ±\xa00.2\xa0%.",
    ]
    assert by_text[list(by_text)[1]].cells == ["0-0-1", "2-0-1", "0-2-1", "2-2-1", "0-1-1", "2-1-1"]


def test_what_one_metric_gains_and_another_loses() -> None:
    heads = ("throughput", "CPU, of one core")
    made = table(
        lambda _, row, head: {"ext4": 1.0, "xfs": 1.2}[row],
        rows=("ext4", "xfs"),
        heads=heads,
        head="metric",
        noise=0.001,
        measures={heads[0]: THROUGHPUT, heads[1]: CPU},
    )

    assert texts(made)[-1] == (
        "xfs is better than ext4 in throughput, but worse in CPU, of one core: 19.9 % faster, 95 % interval 19.8 % to "
        "20.1 %. 20.0 % more CPU, 95 % interval 19.9 % to 20.2 %."
    )
    assert any(text.startswith("Throughput: xfs is better than ext4") for text in texts(made))


MANY = [f"Test {i}" for i in range(13)]
THREADS = {"1": 1.0, "2": 1.8, "8": 2.4, "32": 2.2}


@pytest.mark.parametrize(
    ("effect", "first_words"),
    [
        (lambda split, *_: THREADS[split] if split != "32" else 2.6, "improve from 1 to 32 threads on "),
        # The fall is found in a few of 39 lines; in others the last cell is undecided.
        (lambda split, *_: THREADS[split], "are best at 8 threads in "),
        (lambda split, row, _: 1 - int(split) / 64 if row == "xfs" else 1.0, "worsen from 1 to 32 threads in "),
        (lambda split, row, _: 1.0 if row == "ext4" else 0.8, "xfs and btrfs are worse than ext4 in all 104 cells, "),
    ],
)
def test_one_truth_is_one_finding(effect: Any, first_words: str) -> None:
    said = texts(table(effect, heads=MANY, splits=[*THREADS], split="threads", noise=0.06, margin=0.03))

    told = [text for text in said if not text.startswith(("No difference", "xfs is worse")) and "depend" not in text]
    assert len(told) == 1
    assert first_words in told[0]
    assert "improve from 1 to 32" not in told[0] or "improve from 1 to 32" in first_words


def test_nothing_is_found() -> None:
    assert texts(table(noise=0.1)) == [
        "No difference was found against ext4; 95 % intervals allow up to 15 %; 6 are undecided."
    ]
    (said, *_) = texts(table(noise=0.5))
    assert "allow up to 2.3×" in said


def test_failures_in_the_tools_words() -> None:
    changes = {
        ("1 MiB", "xfs", "Write"): failed("Too many links."),
        ("1 MiB", "xfs", "fread"): failed("Too many links."),
    }

    assert texts(table(changes=changes))[0] == "xfs failed in write and fread: Too many links."


def test_memory_set_beside_the_device_is_no_comparison() -> None:
    changes = {("1 MiB", "xfs", "Random read"): cell(1e9, cache=CACHED)}

    statements = texts(table(changes=changes))

    assert statements[0] == ("Random read: xfs measured memory, ext4 and btrfs the device. These cannot be compared.")
    assert "1 of 9 cells measured memory, not the device: they say nothing about the disks." in statements
    assert not any("xfs is better" in statement or "best" in statement for statement in statements)


def test_a_size_that_fits_in_memory_is_not_set_beside_one_that_does_not() -> None:
    changes = {("1 MiB", "ext4", "Write"): cell(1e9, cache=CACHED)}

    statements = texts(table(rows=("ext4",), heads=("Write",), splits=SIZES, changes=changes))

    assert statements[0] == "1 of 3 cells measured memory, not the device: they say nothing about the disks."
    (said,) = statements[1:]
    assert said.startswith("Throughput does not depend on the record size (4 MiB to 16 MiB): within ")
    assert said.endswith("; 1 MiB measured memory.")


def test_changes_are_those_of_the_figures_where_lower_is_better() -> None:
    effects = {"ext4": 1.0, "xfs": 2.5, "btrfs": 0.753}
    made = table(lambda _, row, __: effects[row], heads=("Write",), noise=0.001, measures={"Write": LATENCY})

    assert texts(made) == [
        "xfs is worse than ext4 (2.50× longer p99 latency, 95 % interval 2.50× to 2.50×).",
        "btrfs is better than ext4 (24.74 % shorter p99 latency, 95 % interval 24.67 % to 24.81 %).",
    ]


def test_values_that_drift_in_most_cells_of_a_row() -> None:
    """One sentence for all rows; that values depend on the ones before them is a consequence."""
    keys = [("1 MiB", row, head) for row in ("xfs", "btrfs") for head in TESTS]
    rising = cells(np.linspace(1, 1.2, 10) * 1e8 * np.ones((6, 1)))

    said = texts(table(changes=dict(zip(keys, rising, strict=True))))

    assert [text for text in said if "value" in text] == [
        "xfs and btrfs: the values rise or fall over the rounds in 6 of 6 cells."
    ]
    wave = cells((1 + 0.1 * np.sin(np.arange(16) * np.pi / 4)) * 1e8 * np.ones((6, 1)))
    assert "xfs and btrfs: each value depends on the one before it in 6 of 6 cells." in texts(
        table(changes=dict(zip(keys, wave, strict=True)))
    )


def test_a_few_cells_with_several_groups_are_what_chance_gives() -> None:
    """Of 20 cells without a cause, one warns of groups at a level of 5 %. Two make no finding, eighteen make one."""
    heads = [f"Test {i}" for i in range(20)]
    groups = cells([[(1.5e8 if i % 2 else 1e8) + i * 1e4 for i in range(10)]])[0]
    groups = replace(
        groups, warnings=[said_in_words(StatisticsWarning(WarningCode.MULTIMODAL, {"p": 0.01, "dip": 0.2}))]
    )

    def told(flagged: int) -> bool:
        changes = {("1 MiB", "xfs", head): groups for head in heads[:flagged]}
        return any("several groups" in text for text in texts(table(heads=heads, changes=changes)))

    assert [told(flagged) for flagged in (2, 18)] == [False, True]


def test_rounds_that_all_cells_share_are_not_counted_once_for_each_cell() -> None:
    """White noise of the rounds, the same in all cells: in a tenth of such tables many cells warn together."""
    told = 0
    for seed in range(60):
        rng = np.random.default_rng([44, seed])
        heads, rows = [f"Test {i}" for i in range(20)], ("ext4", "xfs", "btrfs")
        rounds = np.sqrt(0.9) * rng.standard_normal((3, 1, 12)) + np.sqrt(0.1) * rng.standard_normal((3, 20, 12))
        values = cells(1e8 * np.exp(0.05 * rounds.reshape(60, 12)))
        keys = [("1 MiB", row, head) for row in rows for head in heads]
        made = table(rows=rows, heads=heads, changes=dict(zip(keys, values, strict=True)))
        told += any("the values" in text or "each value" in text for text in texts(made))
    assert told <= 3


def test_where_nothing_differs_one_table_of_twenty_claims_it() -> None:
    """A/A tables: every finding based on a test claims a difference."""
    tables = [table(noise=0.1 if seed % 2 else 0.01, seed=seed, splits=SIZES[:2]) for seed in range(120)]

    false = sum(any(finding.p_adjusted is not None for finding in findings(grid_of(made))) for made in tables)

    assert false <= 0.05 * len(tables)


EFFECTS = st.sampled_from([0.5, 0.97, 1.0, 1.03, 1.5])
ODD = st.sampled_from([None, failed("No space left on device"), cell(1e8, cache=CACHED), cells([[5e7]])[0], cell(0.0)])


@settings(max_examples=30)
@given(st.data())
def test_no_finding_says_what_the_table_does_not(data: st.DataObject) -> None:
    """For any numbers, cells exist, sentences are short, and "better than" appears only with such a verdict."""
    effects = {key: data.draw(EFFECTS) for key in [(s, r, h) for s in SIZES for r in FILE_SYSTEMS for h in TESTS]}
    changes = data.draw(st.dictionaries(st.sampled_from(list(effects)), ODD, max_size=4))
    axes: dict[str, Any] = {"split": data.draw(st.sampled_from(["record_size", "threads", "fill"]))}
    axes |= (
        {"head": "metric", "measures": dict(zip(TESTS, (THROUGHPUT, CPU, LATENCY), strict=True))}
        if data.draw(st.booleans())
        else {}
    )
    noise = data.draw(st.sampled_from([0.001, 0.02, 0.2]))
    made = table(lambda *key: effects[key], splits=SIZES, noise=noise, changes=changes, **axes)
    placed = {placed_cell.key: placed_cell for placed_cell in cells_of(made)}

    for finding in findings(grid_of(made)):
        assert max(len(sentence.split()) for sentence in re.split(r"\.(?: |$)", finding.text)) <= MOST_WORDS
        assert finding.cells
        assert set(finding.cells) <= placed.keys()
        assert finding.p_adjusted is None or finding.p_adjusted < 0.05
        for row in FILE_SYSTEMS[1:]:
            kinds = {part.cell.verdict and part.cell.verdict.kind for part in placed.values() if part.row == row}
            assert not finding.text.startswith(f"{row} is better than") or "better" in kinds
            assert not finding.text.startswith(f"{row} is worse than") or "worse" in kinds
            assert not finding.text.startswith(f"{row} does not differ") or kinds == {"equivalent"}


def test_the_rest_is_folded_and_links_lead_to_the_first_cell() -> None:
    given = [Finding(str(i), [f"0-0-{i}", "0-1-0"], [], None, [], "along", []) for i in range(9)]

    shown = show_findings(replace(table(), findings=given))

    assert [finding["folded"] for finding in shown] == [False] * 3 + [True] * 6
    assert (shown[3]["href"], shown[3]["cells"]) == ("#c0-0-3", "c0-0-3 c0-1-0")
