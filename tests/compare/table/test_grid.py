"""The grid of a table: what differs only in the factor, in which order, and in which words."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.table.grid import Grid, grid_of
from tests.support.comparing.contents import cells, content

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
