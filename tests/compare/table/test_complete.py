"""Open choices are filled in from the runs' data."""

import pytest

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import NO_SPLIT, Selection
from benchdb.compare.table.complete import MOST_SPLITS, Choices, complete
from tests.support.comparing.quantities import QuantityRow, quantities, row
from tests.support.documents import GIB, KIB, MIB


def completed(asked: Selection, rows: list[QuantityRow]) -> Choices:
    """The completed selection of runs with these quantities."""
    return complete(asked, quantities(rows))


def asking(**filters: str) -> Selection:
    """A selection with these filters, with commas between values."""
    return Selection(filters={name: tuple(values.split(",")) for name, values in filters.items()})


def chosen(asked: Selection, rows: list[QuantityRow]) -> dict[str, str]:
    """The filters of the completed selection, one value each."""
    return {name: ",".join(values) for name, values in completed(asked, rows).selection.filters.items()}


def test_the_value_that_most_runs_have_then_the_largest_file_and_the_fewest_threads() -> None:
    rows = [row(file_size=size, threads=threads) for size in (GIB, 2 * GIB) for threads in (1, 4)]

    most = chosen(Selection(), [*rows, row(file_size=4 * GIB, threads=1, runs=3)])
    assert (most["tool"], most["metric"], most["file_size"]) == ("iozone", "throughput", "4G")

    largest = chosen(Selection(), rows)
    assert (largest["file_size"], largest["threads"], largest["record_size"]) == ("2G", "1", "1M")


def test_a_tools_results_come_before_the_runs_own_time_which_has_no_threads() -> None:
    bonnie = {"tool": "bonnie++", "file_size": None, "record_size": None}
    whole = row(test="run", metric="elapsed", unit="s", **bonnie)
    rates = [row(test=test, metric="rate", unit="op/s", threads=1, **bonnie) for test in ("seq_create", "seq_stat")]
    found = completed(Selection(rows=("test", "metric"), columns=("file_system",)), [whole, *rates])
    assert dict(found.selection.filters)["threads"] == ("1",)
    [threads] = [menu for menu in found.menus if menu.name == "threads"]
    assert threads.options == [("1", "1"), ("none", "no number of threads")]


def test_what_is_open_is_chosen_among_what_was_asked_for() -> None:
    mkfs = row(test="mkfs", metric="elapsed", unit="s", tool="mkfs", file_size=None, record_size=None)

    assert chosen(asking(test="mkfs"), [row(runs=9), mkfs])["tool"] == "mkfs"
    assert chosen(asking(test="mkfs"), [row(runs=9), mkfs])["metric"] == "elapsed"
    assert (
        chosen(asking(record_size="64K"), [row(runs=9), row(file_size=MIB, record_size=64 * KIB)])["file_size"] == "1M"
    )


def test_throughput_comes_before_what_more_runs_have() -> None:
    assert chosen(Selection(), [row(metric="elapsed", runs=9), row()])["metric"] == "throughput"
    assert chosen(Selection(), [row(metric="elapsed"), row(metric="user_time")])["metric"] == "elapsed"


def test_rate_comes_first_where_each_test_has_one() -> None:
    unsized = {"file_size": None, "record_size": None, "tool": "fsload"}
    rates = [row(test=test, metric="rate", unit="op/s", **unsized) for test in ("file_create", "file_remove")]
    moved, read = row(test="file_create", **unsized), row(test="read", **unsized)

    def metric(*rows: QuantityRow) -> str:
        return chosen(Selection(), list(rows))["metric"]

    assert metric(moved, *rates) == "rate"
    assert metric(read, *rates) == "throughput"


def test_a_few_record_sizes_split_the_table_and_many_do_not() -> None:
    def split_by(number: int, asked: Selection) -> str:
        return ",".join(completed(asked, [row(record_size=KIB << i) for i in range(number)]).selection.split)

    assert split_by(1, Selection()) == NO_SPLIT
    assert split_by(2, Selection()) == "record_size"
    assert split_by(MOST_SPLITS, Selection()) == "record_size"
    assert split_by(MOST_SPLITS + 1, Selection()) == NO_SPLIT
    assert split_by(2, Selection(split=(NO_SPLIT,))) == NO_SPLIT
    assert split_by(2, Selection(split=("kernel",))) == "kernel"
    assert split_by(2, asking(record_size="1K")) == NO_SPLIT
    assert split_by(MOST_SPLITS + 1, asking(record_size="1K,2K")) == "record_size"


def test_what_was_completed_completes_to_itself() -> None:
    rows = [row(record_size=KIB << i, threads=threads) for i in range(3) for threads in (1, 2)]
    by_size = Selection(columns=("record_size",))
    for asked in (Selection(), Selection(split=(NO_SPLIT,)), by_size, Selection(columns=("test", "metric"))):
        once = completed(asked, rows).selection
        assert completed(Selection.parse(once.query()), rows).selection == once


def test_one_test_is_chosen_where_tests_are_no_axis() -> None:
    rows = [row(test=test, record_size=size) for test in ("write", "read") for size in (KIB, MIB)]

    asked = completed(asking(test="read").replace(columns=("record_size",)), rows)

    assert asked.selection.filter("test") == ("read",)
    assert [(menu.name, menu.chosen) for menu in asked.menus if menu.name == "test"] == [("test", "read")]


def test_menus_have_what_is_left_and_results_without_a_size_the_empty_value() -> None:
    rows = [row(), row(file_size=None), row(test="block_write", tool="bonnie++", file_size=2 * GIB)]

    menus = {menu.name: menu for menu in completed(Selection(), rows).menus}

    assert menus["tool"].options == [("iozone", "iozone"), ("bonnie++", "bonnie++")]
    assert menus["file_size"].options == [("1G", "1 GiB"), ("none", "no file size")]


def test_tests_to_choose_from_are_those_of_the_chosen_place() -> None:
    rows = [row(), row(test="read"), row(test="run", file_size=None)]

    assert completed(asking(test="read"), rows).boxes["test"] == [("write", "Write"), ("read", "Read")]


def test_results_without_a_size_can_be_asked_for() -> None:
    rows = [row(runs=9), row(test="run", file_size=None)]

    assert completed(asking(file_size="none"), rows).places["test"] == ["run"]


def test_several_values_without_an_axis_show_the_first_and_say_so() -> None:
    rows = [row(test=test, record_size=size) for test in ("write", "read") for size in (KIB, MIB)]

    asked = completed(asking(test="read,write").replace(columns=("record_size",)), rows)

    assert asked.selection.filter("test") == ("read",)
    assert asked.notes == ["Of the test shown is the first; put it on an axis to see Write."]


def test_each_metric_has_its_unit() -> None:
    rows = [row(), row(metric="cpu_of_one_core", unit="ratio"), row(metric="elapsed", unit="s")]
    asked = Selection(columns=("test", "metric"), units=("KiB/s", "ms"))

    assert completed(asked, rows).units == {"throughput": "KiB/s", "cpu_of_one_core": "%", "elapsed": "ms"}


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        (asking(tool="fio"), "No result has tool fio; possible are iozone."),
        (asking(file_size="1K"), "No result has file size 1K; possible are 1G."),
        (asking(test="read"), "No result has test read; possible are write."),
        (asking(threads="2"), "No result has threads 2; possible are none."),
        (asking(params="view=min"), "No result has test parameters view=min; possible are none."),
        (Selection(units=("s",)), "throughput cannot be shown in s; possible are KiB/s"),
    ],
)
def test_what_no_run_has_is_refused_with_what_they_have(asked: Selection, fault: str) -> None:
    with pytest.raises(ImpossibleSelection, match=fault):
        completed(asked, [row()])


def test_runs_without_results_are_refused() -> None:
    with pytest.raises(ImpossibleSelection, match="no results yet"):
        completed(Selection(), [])
