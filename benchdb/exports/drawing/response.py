"""Response curves as their page draws them: latency over throughput, with rings at the knees."""

from __future__ import annotations

from benchdb.compare.response.chart import DrawnCurve, DrawnPoint, ResponseChart, response_chart
from benchdb.compare.response.content import ResponseContent
from benchdb.compare.response.labels import Wanted, placed
from benchdb.compare.response.percentiles import both_figures
from benchdb.compare.response.picture import logarithmic, quantity
from benchdb.compare.response.present import knee_sentences
from benchdb.compare.table.charts.chart import ChartSeries
from benchdb.exports.origin import Origin

from .fonts import shorten
from .plot import Plot
from .sheet import lay_out
from .style import MARGIN, SERIES, SMALL, WIDTH, mix
from .svg import Drawing

FIELD, ABOVE, UNDER, LEFT = 260.0, 8.0, 32.0, 52.0
PALE, SPAN = 0.45, 0.25  # of a colour: pale points, and the broad line around a knee
PIXELS = 96 / 72  # of labels' places, a point
LONGEST = 90.0  # of a level's label


def draw_response(content: ResponseContent, origin: Origin) -> Drawing:
    """The picture of response curves."""
    chart = response_chart(content)
    if chart is None:
        return lay_out(content, origin, knee_sentences(content), 0, width=WIDTH)[0]
    legend = [ChartSeries(curve.label, curve.colour) for curve in chart.curves if curve.label]
    whole = ABOVE + FIELD + UNDER
    drawing, top = lay_out(content, origin, _explanations(content, chart), whole, width=WIDTH, legend=legend)
    plot = Plot(drawing, LEFT, top + ABOVE, WIDTH - LEFT - 2 * MARGIN, FIELD, chart.x, chart.y)
    plot.name_across(plot.rule_across(), quantity(chart.across), " →")
    plot.name_up(plot.rule_up(), quantity(chart.up), " ↑")
    plot.edge()
    for curve in chart.curves:
        if curve.span is not None:
            around = _line(plot, curve.points[curve.span[0] : curve.span[1] + 1])
            drawing.line(around, mix(SERIES[curve.colour - 1], SPAN), 7, cap="round")
    for curve in chart.curves:
        _draw_curve(plot, curve)
    _write_levels(plot, chart)
    return drawing


def _line(plot: Plot, points: list[DrawnPoint]) -> list[tuple[float, float]]:
    return [(plot.x(point.throughput.value), plot.y(point.latency.value)) for point in points]


def _draw_curve(plot: Plot, curve: DrawnCurve) -> None:
    colour = SERIES[curve.colour - 1]
    places = _line(plot, curve.points)
    plot.drawing.line(places, colour)
    for i, (point, (x, y)) in enumerate(zip(curve.points, places, strict=True)):
        shade = mix(colour, PALE) if point.pale else colour
        if point.throughput.low is not None and point.throughput.high is not None:
            plot.interval(point.throughput.low, point.throughput.high, y, shade, 0.9)
        if point.latency.low is not None and point.latency.high is not None:
            plot.interval(point.latency.low, point.latency.high, x, shade, 0.9, upright=True)
        plot.drawing.marker(curve.colour, x, y, 4, shade)
        if i == curve.knee:
            plot.drawing.circle(x, y, 5, "none", colour, 1.1)


def _write_levels(plot: Plot, chart: ResponseChart) -> None:
    """The level beside each mark where there is room, knees first."""
    points = [(point, i == curve.knee) for curve in chart.curves for i, point in enumerate(curve.points)]
    points.sort(key=lambda each: not each[1])
    at = _line(plot, [point for point, _ in points])
    texts = [shorten(f"knee {point.label}" if knee else point.label, LONGEST, SMALL) for point, knee in points]
    places = [((x - plot.left) * PIXELS, (y - plot.top) * PIXELS) for x, y in at]
    wanted = [Wanted(*place, text) for place, text in zip(places, texts, strict=True)]
    found = placed(wanted, places, plot.width * PIXELS, plot.height * PIXELS)
    for (x, y), text, (_, knee), offset in zip(at, texts, points, found, strict=True):
        if offset is not None:
            dx, dy = offset.dx / PIXELS, offset.dy / PIXELS
            plot.drawing.text(x + dx, y + dy, text, SMALL, anchor=offset.anchor, bold=knee)


def _explanations(content: ResponseContent, chart: ResponseChart) -> list[str]:
    points = [point for curve in chart.curves for point in curve.points]
    pale = " Pale: measured memory, or a coarse clock." if any(point.pale for point in points) else ""
    knees = " Ring: a knee; broad line: the levels between which it is." if any(c.span for c in chart.curves) else ""
    marks = f"Marks: levels of {content.over_label}, with the 95 % intervals of {both_figures(content)}.{knees}{pale}"
    return [f"{marks} {logarithmic(chart)}".rstrip(), *knee_sentences(content)]
