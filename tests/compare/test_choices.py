"""What the reader leaves open is chosen from what the runs have."""

from __future__ import annotations

from typing import Any

import pytest

from benchdb.compare.choices import MOST_SPLITS, complete
from benchdb.compare.selection import NO_SPLIT, ImpossibleSelection, Selection
from tests.support.documents import GIB, KIB, MIB


def row(**changes: Any) -> dict[str, Any]:
    """A place that `queries.available` gives."""
    place = {"test": "write", "metric": "throughput", "unit": "B/s", "file_size": GIB, "record_size": MIB}
    return {**place, "threads": None, "tool": "iozone", "runs": 1, **changes}


def test_the_value_that_most_runs_have_then_the_largest_file_and_the_fewest_threads() -> None:
    rows = [row(file_size=size, threads=threads) for size in (GIB, 2 * GIB) for threads in (1, 4)]

    chosen = complete(Selection(), [*rows, row(file_size=4 * GIB, threads=1, runs=3)]).selection
    assert (chosen.tool, chosen.metric, chosen.file_size) == ("iozone", "throughput", 4 * GIB)

    chosen = complete(Selection(), rows).selection
    assert (chosen.file_size, chosen.threads, chosen.record_size) == (2 * GIB, 1, MIB)


def test_throughput_comes_before_what_more_runs_have() -> None:
    assert complete(Selection(), [row(metric="elapsed", runs=9), row()]).selection.metric == "throughput"
    assert complete(Selection(), [row(metric="elapsed"), row(metric="user_time")]).selection.metric == "elapsed"


def test_rate_comes_first_where_each_test_has_one() -> None:
    unsized = {"file_size": None, "record_size": None, "tool": "fsload"}
    rates = [row(test=test, metric="rate", unit="op/s", **unsized) for test in ("file_create", "file_remove")]
    moved, read = row(test="file_create", **unsized), row(test="read", **unsized)

    def metric(*rows: dict[str, Any]) -> str:
        return complete(Selection(), list(rows)).selection.metric

    assert metric(moved, *rates) == "rate"
    assert metric(read, *rates) == "throughput"


def test_a_few_record_sizes_split_the_table_and_many_do_not() -> None:
    def split_by(number: int, asked: Selection) -> str:
        return complete(asked, [row(record_size=KIB << i) for i in range(number)]).selection.split

    assert split_by(1, Selection()) == ""
    assert split_by(2, Selection()) == "record_size"
    assert split_by(MOST_SPLITS, Selection()) == "record_size"
    assert split_by(MOST_SPLITS + 1, Selection()) == ""
    assert split_by(2, Selection(split=NO_SPLIT)) == ""
    assert split_by(2, Selection(split="kernel")) == "kernel"
    assert split_by(2, Selection(record_size=KIB)) == ""


def test_what_was_completed_completes_to_itself() -> None:
    rows = [row(record_size=KIB << i, threads=threads) for i in range(3) for threads in (1, 2)]
    for asked in (Selection(), Selection(split=NO_SPLIT), Selection(columns="record_size")):
        once = complete(asked, rows).selection
        assert complete(Selection.parse(once.query()), rows).selection == once


def test_one_test_is_chosen_where_tests_are_no_axis() -> None:
    rows = [row(test=test, record_size=size) for test in ("write", "read") for size in (KIB, MIB)]

    asked = complete(Selection(columns="record_size", tests=("read",)), rows)

    assert asked.selection.tests == ("read",)
    assert [(menu.name, menu.chosen) for menu in asked.menus if menu.name == "test"] == [("test", "read")]


def test_menus_have_what_is_left_and_results_without_a_size_the_empty_value() -> None:
    rows = [row(), row(file_size=None), row(tool="bonnie++", file_size=2 * GIB)]

    menus = {menu.name: menu for menu in complete(Selection(), rows).menus}

    assert menus["tool"].options == [("bonnie++", "bonnie++"), ("iozone", "iozone")]
    assert menus["file_size"].options == [("1G", "1 GiB"), ("", "no file size")]


def test_tests_to_choose_from_are_those_of_the_chosen_place() -> None:
    rows = [row(), row(test="read"), row(test="run", file_size=None)]

    assert complete(Selection(tests=("read",)), rows).tests == [("write", "Write"), ("read", "Read")]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        (Selection(tool="fio"), "No result has tool fio; possible are iozone."),
        (Selection(file_size=KIB), "No result has file size 1K; possible are 1G."),
        (Selection(tests=("read",)), "No result has test read; possible are write."),
        (Selection(threads=2), "No result has threads 2; possible are none."),
        (Selection(unit="s"), "throughput cannot be shown in s"),
    ],
)
def test_what_no_run_has_is_refused_with_what_they_have(asked: Selection, fault: str) -> None:
    with pytest.raises(ImpossibleSelection, match=fault):
        complete(asked, [row()])


def test_runs_without_results_are_refused() -> None:
    with pytest.raises(ImpossibleSelection, match="no results yet"):
        complete(Selection(), [])
