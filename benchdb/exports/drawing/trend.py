"""A trend as its page draws it: all series in one field, with the levels between change points."""

from __future__ import annotations

from collections.abc import Sequence

from benchagent.verdicts import VERDICTS
from benchdb.compare.table.charts.chart import ChartSeries
from benchdb.compare.trend.chart import show_chart
from benchdb.compare.trend.content import TrendContent
from benchdb.compare.trend.contexts import PlottedRun, PlottedSeries, TrendChart
from benchdb.compare.trend.present import show_statements
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.wording.axes import Tick

from .fonts import shorten
from .plot import INSIDE, Plot, plain_scale
from .sheet import lay_out
from .style import FAINT, MARGIN, SERIES, SMALL, VERDICT_COLOURS, WIDTH, mix
from .svg import MIDDLE, Drawing

MOST_SERIES, MOST_RUNS = 12, 1000
FIELD, ABOVE, LEFT = 188.0, 8.0, 52.0
UNDER, LONGEST = 26.0, 80.0  # for the labels under the field; of a turned one
LEVEL = 0.7  # of a colour


def draw_trend(content: TrendContent, origin: Origin) -> Drawing:
    """The picture of a trend. Raises TooLarge."""
    series = content.series
    if len(series) > MOST_SERIES or max((len(of_file_system.runs) for of_file_system in series), default=0) > MOST_RUNS:
        raise TooLarge(f"a picture of a trend may have {MOST_SERIES} file systems of {MOST_RUNS} runs")
    chart = show_chart(content)
    if chart is None:
        return lay_out(content, origin, _explanations(content, None), 0, width=WIDTH)[0]
    legend = [ChartSeries(each.label, each.number) for each in chart.series] if chart.several else []
    height = ABOVE + FIELD + (LONGEST if chart.turned else UNDER)
    drawing, top = lay_out(content, origin, _explanations(content, chart), height, width=WIDTH, legend=legend)
    # The page counts heights downwards and widths in per cent.
    texts = [
        (tick.x, "\n".join(filter(None, [shorten(tick.text, LONGEST, SMALL), tick.under]))) for tick in chart.ticks
    ]
    across = plain_scale(0, 100, [Tick(*each) for each in texts])
    up = plain_scale(INSIDE - chart.bottom, -INSIDE - chart.top, [Tick(-row.y, row.text) for row in chart.rows])
    plot = Plot(drawing, LEFT, top + ABOVE, WIDTH - LEFT - 2 * MARGIN, FIELD, across, up)
    plot.name_up(plot.rule_up(), chart.quantity)
    plot.rule_across(turned=chart.turned, rules=False)
    for tick in across.ticks:
        drawing.line([(x := plot.x(tick.value), plot.bottom), (x, plot.bottom + 2)], FAINT, 0.5)
    for event in chart.events:
        drawing.line([(x := plot.x(event.x), plot.top), (x, plot.bottom)], FAINT, 0.7, dashes="0.7 1.6")
    plot.edge()
    for each in chart.series:
        _draw_series(plot, each)
    return drawing


def _draw_series(plot: Plot, series: PlottedSeries) -> None:
    colour = SERIES[series.number - 1]
    for level in series.levels:
        ends = [(plot.x(x), plot.y(-level.y)) for x in (level.start, level.end)]
        plot.drawing.line(ends, mix(colour, LEVEL), 1.2)
    for run in series.runs:
        _draw_run(plot, run, series.number)
    for mark in series.marks:
        x, y, shade = plot.x(mark.x), plot.y(-mark.y), VERDICT_COLOURS.get(mark.kind, FAINT)
        room = x - plot.left if mark.before else plot.left + plot.width - x
        text = shorten(f"{VERDICTS[mark.kind].sign} {mark.text}", room - 3, SMALL, bold=True)
        # Left of the step, the line of the level is in the way.
        beside: tuple[float, float, str] = (
            (x - 3, y - 3, "end") if mark.before else (x + 3, y + MIDDLE * SMALL, "start")
        )
        plot.drawing.text(*beside[:2], text, SMALL, shade, anchor=beside[2], bold=True)


def _draw_run(plot: Plot, run: PlottedRun, number: int) -> None:
    x, colour = plot.x(run.x), SERIES[number - 1]
    if run.y is None:
        plot.drawing.text(x, plot.bottom - 3, "×", SMALL, FAINT, anchor="middle")
        return
    if run.low is not None and run.high is not None:
        plot.interval(-run.low, -run.high, x, colour, 0.9, upright=True)
    plot.drawing.marker(number, x, plot.y(-run.y), 3, colour, filled=not run.odd)


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
