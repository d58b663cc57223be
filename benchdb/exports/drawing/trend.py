"""A trend: one panel a series, run after run, with the levels between its change points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.compare.content import RunLine
from benchdb.compare.trend.content import TrendContent, TrendSeries
from benchdb.compare.trend.present import show_statements
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.wording.words import direction

from .sheet import Sheet, lay_out
from .style import BLUE, FAINT, INK, MARGIN, RULE, SMALL, VERDICTS, WIDTH, short

MOST_SERIES, MOST_RUNS = 12, 1000
PANEL, OVER, UNDER, LEFT = 2.3, 0.4, 0.75, 0.75  # inches
MOST_TICKS = 16


def draw_trend(content: TrendContent, origin: Origin) -> Sheet:
    """The picture of a trend. Raises TooLarge."""
    series = content.series
    if len(series) > MOST_SERIES or max((len(of_file_system.runs) for of_file_system in series), default=0) > MOST_RUNS:
        raise TooLarge(f"a picture of a trend may have {MOST_SERIES} file systems of {MOST_RUNS} runs")
    sheet = lay_out(content, origin, _explanations(content), width=WIDTH, height=PANEL * len(series))
    lines = {line.id: line for line in content.run_list}
    for i, of_file_system in enumerate(series):
        box = (LEFT, sheet.top + i * PANEL + OVER, WIDTH - LEFT - 2 * MARGIN, PANEL - OVER - UNDER)
        _draw_series(sheet.axes(*box), content, of_file_system, lines)
    return sheet


def _draw_series(axes: Any, content: TrendContent, series: TrendSeries, lines: Mapping[str, RunLine]) -> None:
    per = content.per
    for x, cell in enumerate(series.cells):
        if cell.mean is None:
            axes.plot([x], [0.04], "x", transform=axes.get_xaxis_transform(), color=FAINT, markersize=4)
            continue
        if cell.low is not None and cell.high is not None:
            axes.plot([x, x], [cell.low / per, cell.high / per], color=BLUE, linewidth=0.9)
        odd = x in series.outliers
        axes.plot([x], [cell.mean / per], "o", color=BLUE, markerfacecolor="white" if odd else BLUE, markersize=3)
    for segment in series.segments:
        ends = [segment.first - 0.4, segment.last + 0.4]
        axes.plot(ends, [segment.level / per] * 2, color=INK, linewidth=1)
    for point in series.change_points:
        axes.axvline(point.at - 0.5, color=RULE, linewidth=0.8, zorder=0)
        axes.annotate(
            point.change,
            (point.at - 0.5, 1),
            (2, 2),
            xycoords=axes.get_xaxis_transform(),
            textcoords="offset points",
            fontsize=SMALL,
            color=VERDICTS.get(point.kind, FAINT),
        )
    means = [cell.mean / per for cell in series.cells if cell.mean is not None]
    axes.set_ylim(0, max(means, default=1) * 1.12)
    axes.set_xlim(-0.8, len(series.runs) - 0.2)
    axes.set_title(short(series.label), fontsize=8, fontweight="bold", loc="left", pad=12)
    axes.set_ylabel(f"{content.unit} {direction(content.higher_is_better)}", fontsize=SMALL, color=FAINT)
    axes.tick_params(labelsize=SMALL, length=2.5)
    _ticks(axes, content, [lines[run] for run in series.runs])


def _ticks(axes: Any, content: TrendContent, runs: list[RunLine]) -> None:
    """The dates of the runs, or their kernels, as many as fit."""
    step = max(1, -(-len(runs) // MOST_TICKS))
    positions = range(0, len(runs), step)
    labels = [_label(content, runs[i]) for i in positions]
    axes.set_xticks(list(positions), labels, rotation=90, fontsize=5.5)


def _label(content: TrendContent, run: RunLine) -> str:
    if content.by == "kernel":
        return short(run.kernel or "unknown", 18)
    return run.started_at[:10]


def _explanations(content: TrendContent) -> list[str]:
    marks = "Marker: mean of a run (hollow: far from the others, set aside; ×: no figure); bar: its 95 % interval"
    legend = f"{marks}; line: level between change points. Times in UTC."
    points = [
        f"{series.label}: {point.text}" if len(content.series) > 1 else point.text
        for series in content.series
        for point in series.change_points
    ]
    return [legend, *points, *show_statements(content)]
