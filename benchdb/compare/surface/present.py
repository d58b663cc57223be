"""The contexts of the partials with the numbers of a surface, live or frozen. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.text import get_text_list

from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.warning_box import PageWarning
from benchdb.compare.verdicts.sentences import warnings_of_all
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import ShownCell, show_cell
from benchdb.runs.cells.links import result_href
from benchdb.runs.cells.measured_table import MeasuredRow, MeasuredTable, RowGroup, TableColumn, with_memory_in_heads
from benchdb.runs.cells.panel import CellPanel, show_panel
from benchdb.wording.changes import change_and_interval
from benchdb.wording.numbers import say_number
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.words import direction

from .averages import ALL, Average, Extreme, RatioAverage, statistic_of
from .content import SurfaceContent
from .figures import say_figure, unit_of

MOST_WITH_PANELS = 2  # runs; those of more would be half a megabyte
GROUPS = {
    ALL: "all cells",
    "device": "device",
    "mixed": "partly cached",
    "cached": "cached",
    "unknown": "cache unknown",
}


@dataclass(frozen=True, slots=True)
class AveragesOfRun:
    """The rows of a run; `against` if it is compared with the baseline."""

    label: str | None
    against: bool
    rows: list[dict[str, object]]


def show_table(content: SurfaceContent, options: PageOptions) -> MeasuredTable:
    """The numbers of the figures: a group a run, a row a file size."""
    details: dict[str, CellPanel] = {}
    several = len(content.surfaces) > 1
    groups = [
        RowGroup(
            surface.label if several else None,
            "baseline of the ratio" if several and s == 0 else None,
            # The largest file first, as in the heat map.
            [_row(content, s, i, options, details) for i in reversed(range(len(content.file_sizes)))],
        )
        for s, surface in enumerate(content.surfaces)
    ]
    arrow = direction(content.higher_is_better) if content.statistic == "mean" else None
    unit = unit_of(content).name
    columns = [TableColumn(unbroken(label), unit, arrow) for label in content.record_labels]
    return with_memory_in_heads(
        MeasuredTable("surface-table", content.title, "File ↓ · records →", columns, groups, details)
    )


def _row(content: SurfaceContent, s: int, i: int, options: PageOptions, details: dict[str, CellPanel]) -> MeasuredRow:
    """The row of a file size; adds the panels of its cells to the details."""
    surface, label = content.surfaces[s], content.file_labels[i]
    cells = []
    for j, cell in enumerate(surface.cells[i]):
        key = f"{s}-{i}-{j}"
        href = "" if cell is None else result_href(cell.runs[0], cell.ordinals[0])
        shown = show_cell(cell, href=href, detail=f"c{key}", mark=options.marks.get(key, ""))
        cells.append(in_statistic(shown, cell, content))
        if cell is not None and options.with_panels and len(content.surfaces) <= MOST_WITH_PANELS:
            parts = [f"{content.label}, {label} file, {content.record_labels[j]} records"]
            name = " · ".join([*parts, *([surface.label] if len(content.surfaces) > 1 else [])])
            details[f"c{key}"] = show_panel(cell, name, content.measure.shown, surface.command)
    return MeasuredRow(unbroken(label), None, cells)


def in_statistic(shown: ShownCell, cell: Cell | None, content: SurfaceContent) -> ShownCell:
    """The cell with the chosen statistic as its number; the mean keeps its sd beneath."""
    if cell is None or content.statistic == "mean" or cell.mean is None:
        return shown
    value = statistic_of(cell, content.statistic)
    # A single value has no spread; show_cell has `n = 1` in the place of the sd.
    text = "–" if value is None else say_figure(value, content)
    return replace(shown, mean=text, sd=None, verdict=None)


def show_warnings(content: SurfaceContent) -> list[PageWarning]:
    """The warnings that make the whole ratio doubtful."""
    severe = [difference.label for difference in content.differences if difference.severe]
    if not severe:
        return []
    labels = get_text_list([surface.label for surface in content.surfaces], "and")
    text = f"{labels} differ in more than that: {', '.join(severe)}. The ratio may come from there."
    return [PageWarning(text, severe=True)]


def notes(content: SurfaceContent) -> list[str]:
    """The notes below the table, which apply to the whole page."""
    marks = show_marks(content)
    verdicts = [cell.verdict for line in content.surfaces[-1].cells for cell in line if cell and cell.verdict]
    about_means = (
        ["The ratio and its verdicts are those of the means."] if verdicts and content.statistic != "mean" else []
    )
    return [
        *([f"Lines mark where caches and memory end: {marks}."] if marks else []),
        *content.notes,
        *about_means,
        *warnings_of_all(verdicts),
    ]


def show_marks(content: SurfaceContent) -> str | None:
    """`L1 at 32 KiB, L2 at 1 MiB, memory at 7.8 GiB`: the sizes of the lines, including those outside the axes."""
    labels = [surface.label for surface in content.surfaces]
    texts = [
        f"{mark.label} at {say_size(mark.bytes)}" + ("" if len(mark.of) == len(labels) else f" ({labels[mark.of[0]]})")
        for mark in content.marks
        if mark.axis == "file_size"
    ]
    return ", ".join(texts) or None


def show_averages(content: SurfaceContent) -> dict[str, object]:
    """The averages and extremes of each run, with the reasons to doubt them."""
    several = len(content.surfaces) > 1
    ratios = {average.of: say_ratio_average(content.metric, average) for average in content.ratio_averages}
    runs = [
        AveragesOfRun(
            surface.label if several else None,
            s > 0,
            [_average_row(content, average, ratios.get(average.of)) for average in surface.averages],
        )
        for s, surface in enumerate(content.surfaces)
    ]
    averages = [average for surface in content.surfaces for average in surface.averages]
    texts = dict.fromkeys(warning.text for average in averages for warning in average.warnings)
    # The context of compare/surface_averages.html.
    return {
        "unit": unit_of(content).name,
        "several": several,
        "runs": [run for run in runs if run.rows],
        "left_out": content.left_out,
        "warnings": [PageWarning(text, severe=False) for text in texts],
    }


def say_ratio_average(metric: str, average: RatioAverage) -> str | None:
    """`21 % faster (19 % to 23 %)`; None without a ratio."""
    change, interval = change_and_interval(metric, average.ratio, average.low, average.high)
    return f"{change} ({interval})" if interval else change or None


def _average_row(content: SurfaceContent, average: Average, ratio: str | None) -> dict[str, object]:
    def end(extreme: Extreme) -> dict[str, object]:
        i, j = extreme.place
        sizes = f"{content.file_labels[i]} file, {content.record_labels[j]} records"
        # The highest or lowest figure of a group, and its sizes.
        return {"value": say_figure(extreme.value, content), "where": unbroken(sizes)}

    # A group of cells of a run; `doubtful` are the reasons to doubt its average, `ratio` is None for the
    # baseline.
    return {
        "of": GROUPS[average.of],
        "cells": say_number(average.cells, 0),
        "average": say_figure(average.average, content),
        "highest": end(average.highest),
        "lowest": end(average.lowest),
        "doubtful": " ".join(warning.text for warning in average.warnings),
        "ratio": ratio,
    }
