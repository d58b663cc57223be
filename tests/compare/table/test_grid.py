"""The grid of a table: what differs only in the factor, in which order and words; its measures and verdicts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import cells as placed_cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import Grid, grid_of
from benchdb.compare.table.judge import judge
from benchdb.compare.verdicts.pairs import stack
from tests.support.comparing.comparisons import values
from tests.support.comparing.contents import cells, content
from tests.support.documents import GIB, MIB, result
from tests.support.store import store_run

SIZES, SYSTEMS, TESTS = ("1 MiB", "4 KiB", "no record size"), ("ext4", "xfs", "btrfs"), ("Write", "Read")
PLACES = list(product(SIZES, SYSTEMS, TESTS))


def grid(measured: set[tuple[str, str, str]]) -> Grid:
    made = content(SYSTEMS, TESTS, dict.fromkeys(measured, cells([[1.0, 2.0]])[0]), splits=SIZES[:2])
    return grid_of(made)


@given(st.sets(st.sampled_from([place for place in PLACES if place[0] != SIZES[2]]), min_size=1))
def test_rivals_are_the_cells_that_agree_in_all_but_the_factor(measured: set[tuple[str, str, str]]) -> None:
    table = grid(measured)

    labels = [tuple(table.label(cell, name) for name in ("record_size", "file_system", "test")) for cell in
              range(len(table.cells))]  # fmt: skip
    assert {*labels} == measured
    for cell, (size, system, test) in enumerate(labels):
        rivals = {row for row in table.rivals[table.place[cell]].tolist() if row >= 0}
        assert {labels[rival] for rival in rivals} == {place for place in measured if place[::2] == (size, test)}
        assert (table.value_of(cell), table.base[cell] >= 0) == (system, (size, "ext4", test) in measured)
        assert table.base[cell] < 0 or labels[table.base[cell]] == (size, "ext4", test)


def test_values_of_the_factor_keep_the_order_of_their_axis() -> None:
    assert grid({("1 MiB", "xfs", "Write"), ("4 KiB", "ext4", "Write")}).values == ["ext4", "xfs"]


def test_numbers_ascend_and_none_comes_first() -> None:
    table = grid({("1 MiB", "ext4", "Write"), ("4 KiB", "ext4", "Write"), ("4 KiB", "xfs", "Write")})

    assert (table.labels["record_size"], table.numbers["record_size"]) == (["4 KiB", "1 MiB"], [4096, 1048576])
    assert [[table.label(cell, "record_size") for cell in line] for line in table.lines("record_size")] == [
        ["4 KiB", "1 MiB"]
    ]
    absent = replace(table.content.groups[0], parts={"record_size": SIZES[2]}, values={"record_size": None})
    assert grid_of(replace(table.content, groups=[table.content.groups[1], absent])).labels["record_size"] == [
        SIZES[2], "4 KiB"]  # fmt: skip


SHAKE = np.array([-3.0, 1.5, 0.0, 3.0, -1.5, 0.5, 2.0, -2.0])
FILE_SYSTEMS = ("ext4", "xfs", "btrfs")


def test_a_cell_worse_than_the_baseline_is_not_best_beside_it() -> None:
    """xfs is worse at p = 0.02; the marks, one of four rows being selected, would need p < 1.25 %."""
    means = [(102.8, 100.0, 50.0), *[(100.0, 100.1, 99.9)] * 3]
    tests = ("Write", "Read", "Rewrite", "Reread")
    keys = [("", name, test) for test in tests for name in FILE_SYSTEMS]
    measured = cells([mean + SHAKE for row in means for mean in row])
    made = content(FILE_SYSTEMS, tests, dict(zip(keys, measured, strict=True)), margin=0.02)
    table = grid_of(replace(made, correction="uncorrected"))

    found = judge(table, stack(table.cells))

    of_write = {table.value_of(cell): cell for cell in range(len(table.cells)) if table.label(cell, "test") == "Write"}
    assert (found.verdicts[of_write["xfs"]].kind, found.best) == ("worse", {of_write["ext4"]})


@pytest.mark.parametrize("axes", ["columns=test,metric", "rows=file_system,metric", "split=metric", "rows=metric"])
def test_every_cell_has_its_own_measure(owner: User, axes: str) -> None:
    sizes = {"file_size": GIB, "record_size": MIB}
    run = store_run(
        owner,
        results=[
            result(values(1e8, 3), **sizes),
            result(values(0.1, 3), "write", "cpu_of_one_core", "ratio", **sizes),
        ],
    )

    placed = list(placed_cells(evaluate(Selection.parse(f"run={run.id}&{axes}"), owner)[0]))

    assert [(cell.measure.metric, cell.measure.unit, cell.measure.higher_is_better) for cell in placed] == [
        ("throughput", "MiB/s", True),
        ("cpu_of_one_core", "%", False),
    ]
    assert [cell.cell.metric for cell in placed] == ["throughput", "cpu_of_one_core"]
