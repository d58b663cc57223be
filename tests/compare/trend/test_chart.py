"""The chart of a trend: the positions of runs, levels and changes."""

from dataclasses import replace
from typing import Any

import pytest

from benchdb.compare.content import RunLine
from benchdb.compare.trend.chart import (
    BOTTOM,
    MOST_KERNELS,
    MOST_LEVEL,
    TOP,
    TrendChart,
    show_chart,
)
from benchdb.compare.trend.content import TrendChange, TrendContent, TrendPoint, TrendSegment, TrendSeries
from benchdb.runs.cells.cell import Cell
from tests.support.comparing.cells import a_cell

OLD, NEW = "6.1.0-30", "6.1.0-31"
UPGRADE = f"kernel {OLD} → {NEW}"


def run_id(day: int) -> str:
    return f"00000000-0000-7000-8000-0000000000{day}"


def cell(mean: float | None) -> Cell:
    low, high = (None, None) if mean is None else (mean - 1, mean + 2)
    return a_cell(mean=mean, low=low, high=high, ordinals=[3])


def series(label: str, days: list[int], means: list[float | None], **more: Any) -> TrendSeries:
    """A series of a run a day, in which nothing was found, with changes."""
    plain = TrendSeries(
        label=label,
        runs=[run_id(day) for day in days],
        cells=[cell(mean) for mean in means],
        changes=[],
        change_points=[],
        segments=[],
        outliers=[],
        noise=None,
        days=len(days),
        correlation=None,
        unsearched=None,
        others=[],
    )
    return replace(plain, **more)


def segment(first: int, last: int, level: float) -> TrendSegment:
    return TrendSegment(first, last, level, low=level, high=level, text="")


def halved(at: int) -> TrendPoint:
    """A change point from which on the level is half of the one before."""
    return TrendPoint(
        at,
        ratio=0.5,
        low=0.4,
        high=0.6,
        p=0.01,
        p_adjusted=0.01,
        certain=True,
        kind="worse",
        change="−50 %",
        near=[],
        text="",
    )


def change(at: int, text: str) -> TrendChange:
    return TrendChange(at, items=[], text=text)


def line(day: int, kernel: str) -> RunLine:
    return RunLine(
        id=run_id(day),
        label="",
        machine="epyc-7",
        kernel=kernel,
        started_at=f"2026-11-{day}T12:00:00+00:00",
        rounds=3,
        tool="iozone",
        command="iozone",
        parse=1,
        parser_version="1",
    )


def trend(*of: TrendSeries, kernels: dict[int, str] | None = None, by: str = "time") -> TrendContent:
    days = sorted({int(run[-2:]) for series_ in of for run in series_.runs})
    run_list = [line(day, (kernels or {}).get(day, OLD)) for day in days]
    return TrendContent(
        schema="benchdb.trend/1",
        title="Write over time on epyc-7",
        subtitle="",
        query="",
        notes=[],
        runs=[run.id for run in run_list],
        run_list=run_list,
        computing=[],
        statistics_version=1,
        benchdb_version="",
        by=by,
        test="write",
        label="Write",
        metric="throughput",
        metric_label="throughput",
        higher_is_better=True,
        unit="MiB/s",
        base_unit="B/s",
        per=1.0,
        series=list(of),
        older=None,
    )


EXT4 = series(
    "ext4",
    [10, 12, 14],
    [100.0, None, 50.0],
    segments=[segment(0, 1, 100.0), segment(2, 2, 50.0)],
    change_points=[halved(2)],
    changes=[change(2, UPGRADE)],
)
XFS = series(
    "xfs",
    [11, 13, 15, 17],
    [60.0, 61.0, 60.0, 61.0],
    outliers=[1],
    changes=[change(1, UPGRADE), change(2, "back"), change(3, UPGRADE)],
)


def chart_of(*of: TrendSeries, **more: Any) -> TrendChart:
    found = show_chart(trend(*of, **more))
    assert found is not None
    return found


def test_runs_stand_at_their_time_and_higher_the_larger() -> None:
    first, failed, last = chart_of(EXT4).series[0].runs

    assert (first.x + last.x) / 2 == pytest.approx(failed.x) == 50
    assert TOP < first.high < first.y < first.low < last.y < BOTTOM
    assert failed.y is None
    assert (first.href, first.detail) == (f"/runs/{run_id(10)}/results/3/", "p0-0")


def test_a_run_set_aside_and_one_without_a_figure_are_said() -> None:
    both = chart_of(EXT4, XFS)

    assert [run.odd for run in both.series[1].runs] == [False, True, False, False]
    assert (both.odd, both.absent) == (True, True)
    assert (chart_of(XFS).absent, chart_of(EXT4).odd) == (False, False)


def test_a_step_has_its_sign_at_the_level_that_the_runs_left() -> None:
    (of_one,) = chart_of(EXT4).series
    (mark,) = of_one.marks

    assert [(level.start, level.end) for level in of_one.levels] == [(2.0, 50.0), (98.0, 98.0)]
    assert (mark.x, mark.y, mark.kind) == (98.0, of_one.levels[0].y, "worse")
    assert (mark.text, mark.before) == ("−50 %", True)
    assert chart_of(EXT4, XFS).series[0].marks[0].text == "−50 % ext4"


def test_what_changed_is_one_line_for_all_series_halfway_before_the_first_run_that_shows_it() -> None:
    events = chart_of(EXT4, XFS).events

    assert [event.text for event in events] == [UPGRADE, "back", UPGRADE]
    day = (100 - 2 * 2) / 7  # from 10 to 17 November, with two per cent of margin on both sides
    assert [event.x for event in events] == pytest.approx([2 + 2 * day, 2 + 4 * day, 2 + 6 * day], abs=0.01)


def test_by_kernel_the_runs_of_one_stand_side_by_side_over_its_name() -> None:
    kernels = {11: "6.10.0", 13: "6.9.0", 15: "6.10.0", 17: "6.9.0"}
    chart = chart_of(XFS, kernels=kernels, by="kernel")

    assert [(tick.text, tick.x) for tick in chart.ticks] == [("6.9.0", 25.0), ("6.10.0", 75.0)]
    assert [run.x for run in chart.series[0].runs] == pytest.approx([65, 15, 85, 35])


def test_names_of_kernels_are_turned_shortened_or_left_out_where_they_have_no_room() -> None:
    days = list(range(10, 30))
    many = series("ext4", days, [100.0] * len(days))

    def ticks(number: int) -> tuple[bool, list[str]]:
        chart = chart_of(many, kernels={day: f"{day % number}.0-of-a-very-long-name" for day in days}, by="kernel")
        return chart.turned, [tick.text for tick in chart.ticks]

    assert ticks(MOST_LEVEL)[0] is False
    turned, names = ticks(MOST_LEVEL + 1)
    assert turned
    assert names[0] == "0.0-of-a-very-long-…"
    assert len(ticks(len(days))[1]) == len(days) <= MOST_KERNELS


def test_one_run_and_runs_that_are_all_the_same_are_drawn_in_the_middle() -> None:
    alone = chart_of(series("ext4", [10], [100.0]))
    (run,) = alone.series[0].runs
    assert (run.x, [tick.text for tick in alone.ticks]) == (50.0, ["10 Nov"])
    zero = chart_of(series("ext4", [10, 11], [0.0, 0.0])).series[0].runs
    assert all(TOP < run.y < BOTTOM for run in zero)


def test_the_intervals_of_a_single_run_and_of_runs_that_hardly_differ_are_whole() -> None:
    for means in ([100.0], [100.0, 100.5, 99.8]):
        days = list(range(10, 10 + len(means)))
        cells = [a_cell(mean=mean, low=mean - 15, high=mean + 15, ordinals=[3]) for mean in means]
        (plotted,) = chart_of(series("ext4", days, list(means), cells=cells)).series

        for run in plotted.runs:
            assert TOP < run.high < run.y < run.low < BOTTOM


def test_a_wild_interval_leaves_the_figures_half_of_the_height() -> None:
    wild = series("ext4", [10, 11], [100.0, 110.0])
    cells = [replace(wild.cells[0], low=-1000.0, high=1200.0), wild.cells[1]]
    first, second = chart_of(replace(wild, cells=cells)).series[0].runs

    assert first.y - second.y > 0.4 * (BOTTOM - TOP)
    assert (first.low, first.high) == (BOTTOM, TOP)


def test_without_a_figure_there_is_no_picture() -> None:
    assert show_chart(trend(series("ext4", [10], [None]))) is None
