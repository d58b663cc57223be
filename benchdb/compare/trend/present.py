"""The contexts of a trend's page: change points in words, and the table of runs. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator

from benchdb.compare.kind import PageOptions
from benchdb.runs.cells.cell_context import show_cell
from benchdb.runs.cells.links import result_href, run_href
from benchdb.runs.cells.measured_table import TableColumn
from benchdb.runs.cells.panel import CellPanel, show_panel
from benchdb.wording.numbers import plural
from benchdb.wording.times import read_start, say_start
from benchdb.wording.words import direction

from .content import TrendContent, TrendSeries
from .contexts import HistoryGroup, HistoryRow, HistoryTable, ShownPoint


def show_points(content: TrendContent) -> list[ShownPoint]:
    """The change points above the chart, the newest first."""
    several = len(content.series) > 1
    points = [
        ShownPoint(
            kind=point.kind,
            text=f"{series.label}: {point.text}" if several else point.text,
            href=f"#p{s}-{point.at}",
            run=series.runs[point.at],
        )
        for s, series in enumerate(content.series)
        for point in series.change_points
    ]
    return sorted(points, key=lambda point: point.run, reverse=True)  # a run's id begins with its time


def show_statements(content: TrendContent) -> list[str]:
    """The statements about each series as a whole."""
    several = len(content.series) > 1
    return [
        f"{series.label}: {statement}" if several else statement
        for series in content.series
        for statement in _statements(series)
    ]


def _statements(series: TrendSeries) -> Iterator[str]:
    if series.unsearched:
        yield series.unsearched
    elif not series.change_points:
        yield f"No change point in {plural(len(series.runs), 'run')}."
    if series.noise is not None:
        several = 1 < series.days < len(series.runs)
        odd = f"; {plural(len(series.outliers), 'run')} far from the others set aside" if series.outliers else ""
        unit = "day" if several else "run"
        yield f"From one {unit} to the next the figure varies by {100 * series.noise:.2g} %{odd}."
        if several:
            yield f"Runs of one day count once, because they share its conditions: {plural(series.days, 'day')}."
        elif series.days == 1:
            yield "All runs are of one day, so each of them counts; other days may differ."
    if series.correlation is not None:
        unit = "days" if series.days > 1 else "runs"
        yield (
            f"Successive {unit} resemble each other (correlation {series.correlation:.1f}). Intervals and tests allow "
            "for that, but in such a history more change points are false."
        )


def show_table(content: TrendContent, options: PageOptions) -> HistoryTable:
    """The runs, the newest first, and the changes between them."""
    several = len(content.series) > 1
    details: dict[str, CellPanel] = {}
    groups = [
        HistoryGroup(series.label if several else None, list(_rows(content, s, options, details)))
        for s, series in enumerate(content.series)
    ]
    column = TableColumn(content.label, content.unit, direction(content.higher_is_better))
    return HistoryTable("trend", content.title, [column], groups, details)


def _rows(content: TrendContent, s: int, options: PageOptions, details: dict[str, CellPanel]) -> Iterator[HistoryRow]:
    """One row a run; adds its panel to the details."""
    series, unit = content.series[s], content.measure.shown
    lines = {line.id: line for line in content.run_list}
    events = {event.at: event.text for event in series.changes}
    points = {point.at: point for point in series.change_points}
    for i in reversed(range(len(series.runs))):
        line, cell = lines[series.runs[i]], series.cells[i]
        key = f"p{s}-{i}"
        started = read_start(line.started_at)
        if options.with_panels:
            details[key] = show_panel(cell, f"{content.label}, {say_start(line.started_at)}", unit, line.command)
        href, mark = result_href(line.id, cell.ordinals[0]), options.marks.get(f"{s}-{i}-0", "")
        yield HistoryRow(
            id=key,
            run=run_href(line.id),
            time=started,
            kernel=line.kernel,
            tool=line.tool,
            outlier=i in series.outliers,
            cells=[show_cell(cell, href=href, detail=key, mark=mark)],
            changed=events.get(i),
            point=points.get(i),
        )
