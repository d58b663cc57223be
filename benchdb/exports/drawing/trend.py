"""A trend as its page draws it: all series in one field, with the levels between change points."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.path import Path

from benchagent.verdicts import VERDICTS
from benchdb.compare.trend.chart import show_chart
from benchdb.compare.trend.content import TrendContent
from benchdb.compare.trend.contexts import PlottedRun, PlottedSeries, TrendChart, TrendMark
from benchdb.compare.trend.present import show_statements
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.wording.axes import Tick

from .axes import plain_ticks
from .sheet import Sheet, lay_out
from .style import FAINT, INK, MARGIN, MARKERS, SERIES, SMALL, VERDICT_COLOURS, WIDTH, short

MOST_SERIES, MOST_RUNS = 12, 1000
FIELD, ABOVE, LEFT = 2.6, 0.35, 0.75  # inches
UNDER, UNDER_TURNED = 0.5, 1.15  # inches for the labels under the field; turned ones need more


def draw_trend(content: TrendContent, origin: Origin) -> Sheet:
    """The picture of a trend. Raises TooLarge."""
    series = content.series
    if len(series) > MOST_SERIES or max((len(of_file_system.runs) for of_file_system in series), default=0) > MOST_RUNS:
        raise TooLarge(f"a picture of a trend may have {MOST_SERIES} file systems of {MOST_RUNS} runs")
    chart = show_chart(content)
    if chart is None:
        return lay_out(content, origin, _explanations(content, None), width=WIDTH, height=0)
    height = ABOVE + FIELD + (UNDER_TURNED if chart.turned else UNDER)
    sheet = lay_out(content, origin, _explanations(content, chart), width=WIDTH, height=height)
    axes = sheet.axes(LEFT, sheet.top + ABOVE, WIDTH - LEFT - 2 * MARGIN, FIELD)
    _draw_field(axes, chart)
    for of_file_system in chart.series:
        _draw_series(axes, of_file_system)
    if chart.several:
        _draw_legend(sheet, chart)
    return sheet


def _draw_field(axes: Axes, chart: TrendChart) -> None:
    """The axes of the page: its heights count downwards, its widths are per cent."""
    axes.set_xlim(0, 100)
    axes.set_ylim(chart.bottom, chart.top)
    plain_ticks(axes.yaxis, [Tick(row.y, row.text) for row in chart.rows])
    ticks = [(_at(tick.x), "\n".join(filter(None, [short(tick.text, 20), tick.under]))) for tick in chart.ticks]
    plain_ticks(axes.xaxis, [Tick(*tick) for tick in ticks])
    axes.xaxis.grid(visible=False)
    axes.tick_params(axis="x", length=2.5)
    if chart.turned:
        for label in axes.get_xticklabels():
            label.set(rotation=35, ha="right", rotation_mode="anchor")
    axes.set_ylabel(short(chart.quantity, 60), fontsize=SMALL, color=FAINT)
    for event in chart.events:
        axes.axvline(_at(event.x), color=FAINT, linewidth=0.7, linestyle=(0, (1, 2)), zorder=0)


def _draw_series(axes: Axes, series: PlottedSeries) -> None:
    colour, marker = SERIES[series.number - 1], MARKERS[series.number - 1]
    for level in series.levels:
        axes.plot([_at(level.start), _at(level.end)], [level.y, level.y], color=colour, linewidth=1.2, alpha=0.7)
    for run in series.runs:
        _draw_run(axes, run, colour, marker)
    for mark in series.marks:
        _write_mark(axes, mark)


def _draw_run(axes: Axes, run: PlottedRun, colour: str, marker: str | Path) -> None:
    x = _at(run.x)
    if run.y is None:
        axes.plot([x], [0.03], "x", transform=axes.get_xaxis_transform(), color=FAINT, markersize=4)
        return
    if run.low is not None and run.high is not None:
        axes.plot([x, x], [run.low, run.high], color=colour, linewidth=0.9)
    inside = "white" if run.odd else colour
    axes.plot([x], [run.y], marker=marker, color=colour, markerfacecolor=inside, markersize=3)


def _write_mark(axes: Axes, mark: TrendMark) -> None:
    axes.annotate(
        f"{VERDICTS[mark.kind].sign} {mark.text}", (_at(mark.x), mark.y), (-3 if mark.before else 3, 0),
        textcoords="offset points", ha="right" if mark.before else "left", va="bottom" if mark.before else "center",
        fontsize=SMALL, fontweight="bold", color=VERDICT_COLOURS.get(mark.kind, FAINT),
    )  # fmt: skip


def _draw_legend(sheet: Sheet, chart: TrendChart) -> None:
    handles = [_handle(series) for series in chart.series]
    sheet.figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(MARGIN / sheet.width, 1 - (sheet.top - 0.04) / sheet.height),
        ncols=6, frameon=False, fontsize=8, borderpad=0, borderaxespad=0, labelcolor=INK, handlelength=1.2,
    )  # fmt: skip


def _handle(series: PlottedSeries) -> Line2D:
    colour, marker = SERIES[series.number - 1], MARKERS[series.number - 1]
    return Line2D([], [], color=colour, marker=marker, linewidth=1, markersize=4, label=short(series.label, 18))


def _at(length: str) -> float:
    """The number of a length in SVG: 12.5 of `12.50%`."""
    return float(length.removesuffix("%"))


def _explanations(content: TrendContent, chart: TrendChart | None) -> list[str]:
    points: Sequence[str] = [
        f"{series.label}: {point.text}" if len(content.series) > 1 else point.text
        for series in content.series
        for point in series.change_points
    ]
    return [*([_legend(chart)] if chart else []), *points, *show_statements(content)]


def _legend(chart: TrendChart) -> str:
    """The meaning of the marks that occur."""
    odd = " Hollow: a run set aside." if chart.odd else ""
    absent = " ×: a run without a figure." if chart.absent else ""
    events = " Dotted: something changed on the machine, the target or the tool." if chart.events else ""
    marks = "Marks: runs with the 95 % interval of their mean; lines: levels between change points."
    return f"{marks}{odd}{absent}{events} Times are UTC; the axis does not begin at 0."
