"""Sentences about a row against the baseline: who is named, what is counted, and the printed intervals."""

import numpy as np

from benchdb.compare.table.content import TableContent
from benchdb.compare.table.findings import table_findings
from benchdb.compare.table.findings.claims import BestClaim, RowClaim
from benchdb.compare.table.grid import grid_of
from benchdb.runs.cells.cell import Cell
from tests.support.comparing.contents import CACHED, CPU, cells, content, failed
from tests.support.comparing.simulated import MIB, cell, table, texts

HEADS = tuple(f"Test {i}" for i in range(13))
ROWS = ("ext4", "xfs", "btrfs", "ext4 again")


def claims(made: TableContent) -> dict[str, RowClaim]:
    """The claims about rows by the factor's value."""
    found = [
        claim for finding in table_findings(grid_of(made)) for claim in finding.claims if isinstance(claim, RowClaim)
    ]
    return {claim.value: claim for claim in found}


def test_a_row_that_equals_the_baseline_is_rarely_named() -> None:
    """Beside two rows that differ in all cells, 36 % of the tables have a mark in the third row."""
    effect = {"xfs": 1.3, "btrfs": 0.7}
    tables = [
        table(lambda _, row, __: effect.get(row, 1.0), rows=ROWS, heads=HEADS, noise=0.1, seed=seed)
        for seed in range(60)
    ]

    named = [claims(made) for made in tables]

    assert all({"xfs", "btrfs"} <= found.keys() for found in named)
    assert sum("ext4 again" in found for found in named) <= 6
    marked = sum(
        any(each.verdict.kind in ("better", "worse") for each in made.groups[0].rows[3].cells if each and each.verdict)
        for made in tables
    )
    assert marked > 12


def test_every_cell_of_the_row_is_in_the_sentence() -> None:
    wild = cells(100 * MIB * np.array([[0.2, 1.9, 0.3, 2.4, 0.1, 0.4, 2.2, 0.3, 0.2, 0.5]]))[0]
    changes: dict[tuple[str, str, str], Cell] = {
        ("1 MiB", "xfs", "Test 0"): failed("Too many links"),
        ("1 MiB", "xfs", "Test 1"): cell(3e9, cache=CACHED),
        ("1 MiB", "xfs", "Test 2"): wild,
        ("1 MiB", "xfs", "Test 3"): cells([[5e7]])[0],
        ("1 MiB", "xfs", "Test 4"): cell(100 * MIB),
    }
    made = table(lambda _, row, __: 1.3 if row == "xfs" else 1.0, rows=("ext4", "xfs"), heads=HEADS, noise=0.001,
                 changes=changes)  # fmt: skip

    (said,) = [text for text in texts(made) if "better" in text]
    assert said.startswith("xfs is better than ext4 in 8 of 13 cells, most in test ")
    assert said.endswith(
        ". 1 is equal within the margin, 1 is undecided, 1 failed and 1 is memory against the device; "
        "1 is not comparable."
    )
    claim = claims(made)["xfs"]
    assert len(claim.better) + len(claim.worse) + sum(claim.others.values()) == 13


def test_cells_that_a_row_lacks_are_counted() -> None:
    keys = [("1 MiB", row, head) for row in ("ext4", "xfs") for head in HEADS[:4]]
    values = [100 * MIB * (1.3 if row == "xfs" else 1.0) * np.linspace(0.99, 1.01, 10) for _, row, _ in keys]
    by_key = dict(zip(keys, cells(values), strict=True))
    del by_key["1 MiB", "xfs", "Test 3"]

    (said,) = texts(content(("ext4", "xfs"), HEADS[:4], by_key, splits=("1 MiB",)))[:1]

    assert said.startswith("xfs is better than ext4 in 3 of 4 cells, most in ")
    assert said.endswith("; 1 is missing.")


def test_a_mark_that_does_not_pass_in_its_row_is_said_to_be_perhaps_chance() -> None:
    """One loss at p = 0.01 beside twelve gains: marked in the table, but not evidence that xfs is ever worse."""
    values = 100 * MIB * np.exp(np.tile(np.linspace(-0.1, 0.1, 10), (26, 1)))
    values[13:25] *= 1.5
    values[25] *= 0.923
    keys = [("1 MiB", row, head) for row in ("ext4", "xfs") for head in HEADS]
    made = content(("ext4", "xfs"), HEADS, dict(zip(keys, cells(values), strict=True)), splits=("1 MiB",))
    last = made.groups[0].rows[1].cells[12]
    assert last is not None
    assert last.verdict is not None

    (said,) = [text for text in texts(made) if text.startswith("xfs is")]

    if last.verdict.kind == "worse":
        assert said.endswith(" 1 is marked but may be chance.")
    assert "worse" not in said


def test_the_interval_of_the_largest_is_wider_than_that_of_its_cell() -> None:
    made = table(lambda _, row, __: 1.3 if row == "xfs" else 1.0, rows=("ext4", "xfs"), heads=HEADS, noise=0.05)

    (change,) = claims(made)["xfs"].changes

    verdict = grid_of(made).cells[change.cell].verdict
    assert verdict is not None
    assert verdict.low is not None
    assert verdict.high is not None
    assert 1 < change.low < verdict.low < change.ratio < verdict.high < change.high


def test_only_the_median_is_printed_if_no_single_change_is_known() -> None:
    """All cells differ a little: together certain, each alone not at 1 − 0.05/13."""
    base = np.tile([0.02, -0.1, 0.06, -0.02, 0.1, -0.06], (26, 1))
    base[13:] += 0.13
    keys = [("1 MiB", row, head) for row in ("ext4", "xfs") for head in HEADS]
    made = content(("ext4", "xfs"), HEADS, dict(zip(keys, cells(1e8 * np.exp(base)), strict=True)), splits=("1 MiB",))

    assert texts(made)[0] == "xfs is better than ext4 in all 13 cells (14 % faster in the median)."
    assert claims(made)["xfs"].changes == []


def test_the_change_is_that_of_the_figure_itself() -> None:
    made = table(lambda _, row, __: 1.2 if row == "xfs" else 1.0, rows=("ext4", "xfs"), heads=("Write",), noise=0.001,
                 measures={"Write": CPU})  # fmt: skip

    (said, *_) = texts(made)
    assert said.startswith("xfs is worse than ext4 (19.96 % more CPU")
    (change,) = claims(made)["xfs"].changes
    assert change.ratio > 1
    assert not change.better


def test_a_winner_that_equals_another_is_rarely_named() -> None:
    """xfs and xfs again are both better than the others; each is alone best in some cell only by chance."""
    rows = ("ext4", "xfs", "xfs again")
    tables = [
        table(lambda _, row, __: 1.0 if row == "ext4" else 1.5, rows=rows, heads=HEADS, noise=0.05, seed=seed)
        for seed in range(60)
    ]

    won = [claim for made in tables for found in table_findings(grid_of(made)) for claim in found.claims
           if isinstance(claim, BestClaim)]  # fmt: skip

    assert len(won) <= 6
