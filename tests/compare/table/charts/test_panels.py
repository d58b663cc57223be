"""Charts of tables: what is on which axis, which marks there are, and their scale."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from benchdb.compare.query.selection import Selection
from benchdb.compare.table.charts.chart import MOST_MARKS, Chart, TooManyMarks
from benchdb.compare.table.charts.panels import figure_chart, ratio_chart
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.grid import grid_of
from benchdb.wording.colours import colours
from tests.support.comparing.comparisons import SPREAD, compared_runs, ids, values
from tests.support.comparing.responses import response_runs, results_at
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.store import store_run

SIZES = (64 * KIB, 256 * KIB, MIB)


def table_of(owner: User, query: str) -> TableContent:
    return evaluate(Selection.parse(query), owner)[0]


def ratios_of(owner: User, query: str) -> Chart:
    found = ratio_chart(grid_of(table_of(owner, query)))
    assert isinstance(found, Chart)
    return found


def test_record_sizes_are_positions_and_file_systems_are_lines(owner: User) -> None:
    chart = ratios_of(owner, ids(compared_runs(owner, record_sizes=SIZES)))

    assert chart.ordered
    assert chart.baseline == "ext4"
    assert chart.positions == ["64\u00a0KiB records", "256\u00a0KiB records", "1\u00a0MiB records"]
    assert [panel.label for panel in chart.panels] == ["Write", "Read"]
    assert [(series.label, series.colour) for series in chart.series] == [
        ("xfs", colours(["xfs"])[0]),
        ("btrfs", colours(["btrfs"])[0]),
    ]
    marks = [mark for mark in chart.panels[0].marks if mark.series == 0]
    assert [mark.position for mark in marks] == [0, 1, 2]
    assert all(mark.value == pytest.approx(1.2, rel=1e-3) and mark.filled for mark in marks)
    assert all(mark.low < mark.value < mark.high for mark in marks)
    assert not any(mark.filled for mark in chart.panels[0].marks if mark.series == 1)  # btrfs is equivalent


def test_rows_of_file_systems_at_rising_threads_are_lines_of_the_file_systems(owner: User) -> None:
    runs = response_runs(owner, levels=(8, 1, 2, 16))
    table = table_of(owner, f"{ids(runs)}&rows=file_system,threads&factor=file_system&metric=throughput")
    assert table.rows.names == ["file_system", "threads"]

    for chart in (ratio_chart(grid_of(table)), figure_chart(grid_of(table))):
        assert isinstance(chart, Chart)
        assert chart.ordered
        assert (chart.along, chart.positions) == ("threads", ["1 thread", "2 threads", "8 threads", "16 threads"])
    assert [series.label for series in chart.series] == ["ext4", "xfs"]
    (panel,) = chart.panels
    assert [mark.position for mark in panel.marks if mark.series == 1] == [0, 1, 2, 3]


def test_parameters_of_runs_are_positions_in_their_order(owner: User) -> None:
    def workload(depth: int) -> dict[str, object]:
        return {"tool": "fio", "tool_version": "3.33", "command": ["fio"], "parameters": {"depth": depth}}

    runs = [
        store_run(owner, rounds=6, file_system=name, results=results_at(1, 4), workload=workload(depth))
        for name, depths in (("ext4", (16, 2)), ("xfs", (2, 4, 16)))
        for depth in depths
    ]
    chart = figure_chart(grid_of(table_of(owner, f"{ids(runs)}&metric=throughput")))
    assert isinstance(chart, Chart)
    assert chart.ordered
    assert chart.positions == ["depth 2", "depth 4", "depth 16"]
    assert [series.label for series in chart.series] == ["ext4", "xfs"]
    assert [(mark.series, mark.position) for mark in chart.panels[0].marks] == [(0, 2), (0, 0), (1, 0), (1, 1), (1, 2)]


def test_without_an_ordered_dimension_tests_are_rows(owner: User) -> None:
    chart = ratios_of(owner, ids(compared_runs(owner)))

    assert not chart.ordered
    (panel,) = chart.panels
    assert ([chart.positions[position] for position in panel.positions], len(panel.marks)) == (["Write", "Read"], 4)


def test_where_the_factor_is_across_it_is_the_series_all_the_same(owner: User) -> None:
    query = f"{ids(compared_runs(owner))}&rows=test&columns=file_system&factor=file_system"

    chart = ratios_of(owner, query)

    assert ([series.label for series in chart.series], chart.positions) == (["xfs", "btrfs"], ["Write", "Read"])


def test_an_ordered_factor_is_the_line_itself(owner: User) -> None:
    runs = [
        store_run(
            owner,
            rounds=len(SPREAD),
            results=[
                result(values(100 * MIB * threads), test, threads=threads, file_size=32 * GIB, record_size=MIB)
                for threads in (1, 2, 4)
                for test in ("write", "read")
            ],
        )
    ]

    chart = figure_chart(grid_of(table_of(owner, f"{ids(runs)}&rows=threads&columns=test&factor=threads")))

    assert isinstance(chart, Chart)
    assert chart.ordered
    assert chart.positions == ["1 thread", "2 threads", "4 threads"]
    assert [series.label for series in chart.series] == [""]
    assert [panel.label for panel in chart.panels] == ["Write", "Read"]


def test_more_file_systems_than_colours_are_rows(owner: User) -> None:
    means = {f"fs{i}": (100.0 + 20 * i) * MIB for i in range(8)}

    chart = ratios_of(owner, ids(compared_runs(owner, means)))

    assert [series.colour for series in chart.series] == [1]
    assert [panel.label for panel in chart.panels] == ["Write", "Read"]
    assert [chart.positions[position] for position in chart.panels[0].positions] == [f"fs{i}" for i in range(1, 8)]


def test_ratios_have_one_scale_and_figures_one_for_each_measure(owner: User) -> None:
    """A file of 4 MiB/s beside one of 1,500: the axis of figures is logarithmic, and both can be seen."""
    results = [
        result(values(speed * MIB), test, file_size=32 * GIB, record_size=MIB)
        for test, speed in (("random_read", 4), ("read", 1500))
    ]
    runs = [store_run(owner, file_system=name, rounds=len(SPREAD), results=results) for name in ("ext4", "xfs")]
    table = table_of(owner, ids(runs))

    figures, ratios = figure_chart(grid_of(table)), ratio_chart(grid_of(table))

    assert isinstance(figures, Chart)
    assert isinstance(ratios, Chart)
    scale = figures.panels[0].scale
    assert scale.logarithmic
    assert [tick.text for tick in scale.ticks] == ["10", "100", "1\u202f000"]
    assert 0.02 < scale.share(4) < 0.1
    assert 0.9 < scale.share(1500) < 0.98
    assert [tick.text for tick in ratios.panels[0].scale.ticks if tick.value == 1] == ["1"]


def test_figures_that_are_alike_have_an_axis_from_zero(owner: User) -> None:
    chart = figure_chart(grid_of(table_of(owner, ids(compared_runs(owner)))))

    assert isinstance(chart, Chart)
    scale = chart.panels[0].scale
    assert not scale.logarithmic
    assert scale.low == 0
    assert len(chart.panels[0].marks) == 6


def test_an_interval_of_two_rounds_is_cut_and_leaves_the_ratios_their_room(owner: User) -> None:
    runs = [
        store_run(owner, file_system=name, rounds=2, results=[result([low, high], file_size=GIB, record_size=MIB)])
        for name, low, high in (("ext4", 50 * MIB, 150 * MIB), ("xfs", 60 * MIB, 180 * MIB))
    ]

    (panel,) = ratios_of(owner, ids(runs)).panels

    (mark,) = panel.marks
    assert mark.high > 10
    assert panel.scale.high < 2
    assert panel.scale.share(mark.high) == 1


def test_a_failed_test_has_no_mark(owner: User) -> None:
    failed = result([None] * 3, status="failed", error="too many links", file_size=GIB, record_size=MIB)
    measured = result([1e8, 1.1e8, 1.2e8], file_size=GIB, record_size=MIB)
    runs = [store_run(owner, results=[measured]), store_run(owner, file_system="xfs", results=[failed])]
    table = table_of(owner, ids(runs))

    figures = figure_chart(grid_of(table))

    assert ratio_chart(grid_of(table)) is None
    assert isinstance(figures, Chart)
    assert [series.label for series in figures.series] == ["ext4"]


def test_of_the_smallest_values_there_is_no_interval(owner: User) -> None:
    chart = figure_chart(grid_of(table_of(owner, f"{ids(compared_runs(owner))}&statistic=minimum")))

    assert isinstance(chart, Chart)
    assert all(mark.low is None for mark in chart.panels[0].marks)


def test_metrics_on_an_axis_become_panels(owner: User) -> None:
    results = [
        result(values(mean), "create", metric, unit, threads=threads)
        for threads in (4, 16)
        for metric, unit, mean in (("throughput", "B/s", 32 * MIB), ("cpu_of_one_core", "ratio", 0.2))
    ]
    runs = [store_run(owner, file_system=name, rounds=len(SPREAD), results=results) for name in ("ext4", "xfs")]

    chart = figure_chart(
        grid_of(table_of(owner, f"{ids(runs)}&rows=threads,metric&columns=file_system&factor=file_system"))
    )

    assert isinstance(chart, Chart)
    assert chart.ordered
    assert (chart.along, [panel.label for panel in chart.panels]) == ("threads", ["throughput", "CPU, of one core"])
    assert {tuple(chart.positions[i] for i in panel.positions) for panel in chart.panels} == {
        ("4 threads", "16 threads")
    }


def test_too_many_marks_are_not_drawn_and_nothing_measured_has_no_chart(owner: User) -> None:
    table = table_of(owner, ids(compared_runs(owner)))
    (group,) = table.groups
    many = replace(table, groups=[replace(group, rows=[group.rows[0]] * MOST_MARKS)])
    empty = replace(table, groups=[replace(group, rows=[replace(group.rows[0], cells=[None, None])])])

    assert figure_chart(grid_of(many)) == TooManyMarks(2 * MOST_MARKS, MOST_MARKS)
    assert figure_chart(grid_of(empty)) is None
    assert ratio_chart(grid_of(empty)) is None
