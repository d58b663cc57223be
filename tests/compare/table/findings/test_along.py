"""Sentences about lines along an ordered dimension: complete, with intervals, about comparable cells only."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from benchdb.compare.table.content import TableContent
from benchdb.compare.table.findings import table_findings
from benchdb.compare.table.findings.claims import ShapeClaim
from benchdb.compare.table.grid import grid_of
from benchdb.runs.cells.cell import Cell
from tests.support.comparing.contents import CACHED, cells, failed
from tests.support.comparing.simulated import MIB, cell, table, texts

SIZES = ("1 MiB", "4 MiB", "16 MiB", "64 MiB")


def lines(
    levels: Mapping[str, Sequence[float]], noise: float = 0.001, changes: Mapping[tuple[str, str], Cell] | None = None
) -> TableContent:
    """A table with a row for each line of levels by record size; `changes` are cells by size and row."""
    sizes = SIZES[: max(map(len, levels.values()))]
    by_key = {(size, row, "Write"): changed for (size, row), changed in (changes or {}).items()}
    at = {(size, row): level for row, line in levels.items() for size, level in zip(sizes, line, strict=True)}
    return table(
        lambda size, row, _: at[size, row], rows=[*levels], heads=("Write",), splits=sizes, noise=noise, changes=by_key
    )


def about_size(made: TableContent) -> list[str]:
    """The findings about the record size."""
    findings = table_findings(grid_of(made))
    return [found.text for found in findings if any(isinstance(claim, ShapeClaim) for claim in found.claims)]


def shapes(made: TableContent) -> dict[str, list[float]]:
    """The ratios between turning points by row."""
    claims = [
        claim for found in table_findings(grid_of(made)) for claim in found.claims if isinstance(claim, ShapeClaim)
    ]
    return {claim.value: [round(change.ratio, 2) for change in claim.changes] for claim in claims}


def test_a_fall_between_the_ends_is_reported() -> None:
    made = lines({"ext4": (1.0, 0.7, 0.9)})

    assert shapes(made) == {"ext4": [0.7, 1.29]}
    (said,) = about_size(made)
    assert said.startswith(
        "Throughput is worst at 4 MiB records: 30.03 % slower (95 % interval 29.98 % to 30.08 %) against "
    )
    assert said.endswith("Against 16 MiB: 22.2 % slower (95 % interval 22.1 % to 22.3 %).")


def test_a_fall_that_recovers_is_reported() -> None:
    assert shapes(lines({"ext4": (1.0, 0.5, 1.0)})) == {"ext4": [0.5, 2.0]}


def test_a_line_that_rises_and_falls_names_each_step() -> None:
    made = lines({"ext4": (1.0, 1.5, 1.1, 1.6)})

    assert shapes(made) == {"ext4": [1.5, 0.73, 1.46]}
    (said,) = about_size(made)
    assert said.startswith("Throughput rises and falls with the record size: 1.50× faster (95 % interval ")
    assert re.findall(r"[Ff]rom (\d+ MiB to \d+ MiB)", said) == [
        "1 MiB to 4 MiB",
        "4 MiB to 16 MiB",
        "16 MiB to 64 MiB",
    ]


def test_rows_that_behave_alike_are_in_one_sentence_and_the_others_are_named() -> None:
    made = lines({"ext4": (1, 1.3, 1.5), "xfs": (1, 1.2, 1.6), "btrfs": (1, 1, 1), "jfs": (1, 1.2, 1.1)})

    first, second = about_size(made)
    assert first.startswith("Throughput improves from 1 MiB to 16 MiB records: 1.60× faster on xfs and 1.50× faster ")
    assert "(95 % intervals within 1.50× to 1.60×)" in first
    assert first.endswith(". btrfs is unchanged (within ±\xa00.2\xa0%); jfs is best at 4 MiB.")
    assert second.startswith("Throughput is best at 4 MiB records on jfs: ")
    assert second.endswith("ext4 and xfs improve from 1 MiB to 16 MiB. btrfs is unchanged (within ±\xa00.2\xa0%).")


def _noisy() -> list[Cell]:
    return cells(100 * MIB * np.random.default_rng(1).lognormal(0, 0.5, (3, 10)))


FULL = failed("No space left on device")
RISING, FLAT = (1, 1.3, 1.5), (1, 1, 1)


@pytest.mark.parametrize(
    ("levels", "changes", "begins", "ends"),
    [
        (
            {"ext4": RISING, "xfs": FLAT},
            {(size, "xfs"): each for size, each in zip(SIZES, _noisy(), strict=False)},
            "improves from 1 MiB to 16 MiB records on ext4: ",
            "; xfs is undecided.",
        ),
        (
            {"ext4": FLAT},
            {("16 MiB", "ext4"): FULL},
            "does not depend on the record size (1 MiB to 4 MiB): within ±\xa00.1\xa0%",
            "; 16 MiB failed.",
        ),
        (
            {"ext4": (*RISING, 1.6), "xfs": (*RISING, 1.6)},
            {("64 MiB", "xfs"): FULL},
            "improves from 1 MiB to 64 MiB records on ext4: ",
            "; only a part of this is known on xfs. 64 MiB failed on xfs.",
        ),
        (
            {"ext4": FLAT},
            {("1 MiB", "ext4"): cell(3e9, cache=CACHED)},
            "does not depend on the record size (4 MiB to 16 MiB): ",
            "; 1 MiB measured memory.",
        ),
        (
            {"ext4": RISING},
            {("4 MiB", "ext4"): cells([[5e7]])[0]},
            "improves from 1 MiB to 16 MiB records: ",
            "; 4 MiB cannot be tested.",
        ),
    ],
)
def test_cells_that_are_not_compared_are_named(levels: Any, changes: Any, begins: str, ends: str) -> None:
    (said,) = about_size(lines(levels, changes=changes))

    assert said.startswith(f"Throughput {begins}")
    assert said.endswith(ends)


def test_a_size_whose_mean_does_not_fit_is_undecided() -> None:
    wild: Any = cells(100 * MIB * np.array([[0.2, 1.9, 0.3, 2.4, 0.1, 0.4, 2.2, 0.3, 0.2, 0.5]]))[0]

    levels = {"ext4": (1.0, 1.0, 1.5), "xfs": (1.0, 1.0, 1.0), "btrfs": (1.0, 1.0, 1.0)}
    said = next(text for text in about_size(lines(levels, changes={("4 MiB", "ext4"): wild})) if "ext4" in text)

    assert said.startswith("Throughput improves from 1 MiB to 16 MiB records on ext4: ")
    assert "; 4 MiB is undecided. " in said


def test_tests_that_do_not_depend_on_different_sizes_are_told_apart() -> None:
    changes = {("16 MiB", row, "Random read"): failed("Too many links") for row in ("ext4", "xfs")}
    made = table(rows=("ext4", "xfs"), heads=("Write", "Random read"), splits=SIZES[:3], noise=0.001, changes=changes)

    assert about_size(made) == [
        "Write does not depend on the record size (1 MiB to 16 MiB): within ±\xa00.2\xa0%.",
        "Random read does not depend on the record size (1 MiB to 4 MiB): within ±\xa00.2\xa0%; 16 MiB failed.",
    ]


def test_a_long_line_is_described_by_its_extremes() -> None:
    levels = (1.0, 1.1, 1.2, 1.3, 1.6, 1.4, 1.3, 1.2, 1.1, 1.0)
    threads = [str(2**i) for i in range(10)]
    made = table(lambda split, *_: levels[threads.index(split)], rows=("ext4",), heads=("Write",), splits=threads,
                 split="threads", noise=0.001)  # fmt: skip

    (said,) = texts(made)
    assert said.startswith("Throughput is best at 16 threads: 1.60× faster ")
