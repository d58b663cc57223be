"""Averages below a surface: cached and device cells separately, and cells that do not count."""

from typing import Any

import pytest

from benchdb.compare.surface.averages import Extreme, averages, grouped, left_out, ratio_averages
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.clock_and_cache import CellCache, CellClock
from tests.support.comparing.cells import a_cell


def cell(mean: float | None, cache: str = "device", sd: float | None = 1.0, **fields: Any) -> Cell:
    return a_cell(mean=mean, sd=sd, values=None, runs=["r"], cache=CellCache(cache, None, {}, ""), **fields)


COARSE = {"clock": CellClock("unusable", 9.0, "")}


def test_cached_and_device_cells_stand_apart_and_all_are_warned_of() -> None:
    grid = [[cell(1000.0, "cached"), cell(3000.0, "cached")], [cell(100.0), cell(50.0)]]

    device, cached, every = averages(grid, grouped([grid]), "mean")

    assert (device.of, device.cells, device.average, device.warnings) == ("device", 2, 75.0, [])
    assert (device.highest, device.lowest) == (Extreme(100.0, [1, 0]), Extreme(50.0, [1, 1]))
    assert (cached.average, cached.highest.place) == (2000.0, [0, 1])
    assert cached.warnings[0].code == "average_of_cache"
    assert (every.of, every.average) == ("all", 1037.5)
    assert every.warnings[0].numbers == {"cached": 2, "cells": 4}


def test_one_kind_of_cells_needs_no_row_for_all() -> None:
    grid = [[cell(1.0), cell(2.0)]]

    assert [found.of for found in averages(grid, grouped([grid]), "mean")] == ["device"]


def test_what_is_no_figure_takes_no_part_and_is_counted() -> None:
    grid = [
        [cell(1.0), None, cell(None, status="failed")],
        [cell(9e9, **COARSE), cell(None, status="unmeasurable"), cell(None, status="computing")],
    ]

    (device,) = averages(grid, grouped([grid]), "mean")

    assert (device.cells, device.highest.value) == (1, 1.0)
    note = left_out([grid])
    assert note is not None
    for part in ("1 failed", "1 under 10 ticks of the tool's clock", "1 too fast to measure", "1 not computed yet"):
        assert part in note


def test_where_everything_counts_nothing_is_said() -> None:
    assert left_out([[[cell(1.0), None]]]) is None


def test_a_surface_without_figures_has_no_averages() -> None:
    grid = [[None, cell(None, status="failed")]]

    assert averages(grid, grouped([grid]), "mean") == []


@pytest.mark.parametrize(("statistic", "average"), [("mean", 3.0), ("sd", 1.5), ("cv", 0.5)])
def test_the_average_is_that_of_the_shown_statistic(statistic: str, average: float) -> None:
    grid = [[cell(2.0, sd=1.0), cell(4.0, sd=2.0)]]

    assert averages(grid, grouped([grid]), statistic)[0].average == average


def test_single_values_have_no_average_sd() -> None:
    grid = [[cell(2.0, sd=None), cell(4.0, sd=None)]]

    assert averages(grid, grouped([grid]), "sd") == []
    assert averages(grid, grouped([grid]), "cv") == []


def test_a_place_of_two_runs_is_as_cached_as_the_more_cached() -> None:
    first = [[cell(1.0, "cached"), cell(2.0), cell(3.0, "unknown"), cell(4.0)]]
    second = [[cell(1.0, "mixed"), cell(2.0, "mixed"), cell(3.0), None]]

    assert grouped([first, second]) == {
        "mixed": [(0, 1)],
        "cached": [(0, 0)],
        "unknown": [(0, 2)],
        "all": [(0, 0), (0, 1), (0, 2)],
    }


def test_memory_in_one_run_and_the_device_in_the_other_count_for_no_average() -> None:
    surfaces = [[[cell(1.0, "cached"), cell(2.0)]], [[cell(1.0), cell(2.0)]]]

    assert grouped(surfaces) == {"device": [(0, 1)]}
    assert ratio_averages(surfaces, grouped(surfaces))[0].cells == 1
    assert left_out(surfaces) == (
        "Left out of averages, highest and lowest: 1 from memory in one run and from the device in another."
    )


def test_ratios_have_geometric_means_by_group() -> None:
    first = [[cell(100.0, "cached"), cell(100.0, "cached"), cell(10.0)]]
    second = [[cell(200.0, "cached"), cell(50.0, "cached"), cell(40.0)]]

    means = ratio_averages([first, second], grouped([first, second]))

    assert {row.of: (row.cells, row.ratio) for row in means} == {
        "device": (1, pytest.approx(4.0)),
        "cached": (2, pytest.approx(1.0)),
        "all": (3, pytest.approx(4 ** (1 / 3))),
    }
    assert means[0].low < 4 < means[0].high


def test_one_surface_has_no_ratio() -> None:
    grid = [[cell(1.0)]]

    assert ratio_averages([grid], grouped([grid])) == []
