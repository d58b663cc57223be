"""Response curves as their page draws them: latency over throughput, with rings at the knees."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchdb.compare.response.chart import DrawnCurve, DrawnPoint, ResponseChart, response_chart
from benchdb.compare.response.content import ResponseContent
from benchdb.compare.response.labels import Wanted, placed
from benchdb.compare.response.percentiles import both_figures
from benchdb.compare.response.picture import logarithmic, quantity
from benchdb.compare.response.present import knee_sentences
from benchdb.compare.table.charts.scale import Figure
from benchdb.exports.origin import Origin

from .axes import scale_axis
from .sheet import Sheet, lay_out
from .style import FAINT, INK, MARGIN, MARKERS, SERIES, SMALL, WIDTH, short

FIELD, ABOVE, UNDER, LEFT = 3.6, 0.3, 0.5, 0.75  # inches
PALE = 0.45  # opacity
PIXELS = 96  # an inch, of labels


def draw_response(content: ResponseContent, origin: Origin) -> Sheet:
    """The picture of response curves."""
    chart = response_chart(content)
    if chart is None:
        return lay_out(content, origin, knee_sentences(content), width=WIDTH, height=0)
    sheet = lay_out(content, origin, _explanations(content, chart), width=WIDTH, height=ABOVE + FIELD + UNDER)
    width = WIDTH - LEFT - 2 * MARGIN
    axes = sheet.axes(LEFT, sheet.top + ABOVE, width, FIELD)
    scale_axis(axes, axes.xaxis, chart.x)
    scale_axis(axes, axes.yaxis, chart.y)
    axes.set_xlabel(f"{short(quantity(chart.across), 60)} →", fontsize=SMALL, color=FAINT)
    axes.set_ylabel(f"{short(quantity(chart.up), 60)} ↑", fontsize=SMALL, color=FAINT)
    for curve in chart.curves:
        _draw_curve(axes, curve)
    _write_levels(axes, chart, width * PIXELS, FIELD * PIXELS)
    if any(curve.label for curve in chart.curves):
        _draw_legend(sheet, chart)
    return sheet


def _draw_curve(axes: Axes, curve: DrawnCurve) -> None:
    colour, marker = SERIES[curve.colour - 1], MARKERS[curve.colour - 1]
    points = curve.points
    if curve.span is not None:
        around = points[curve.span[0] : curve.span[1] + 1]
        axes.plot(*_line(around), color=colour, linewidth=7, alpha=0.25, solid_capstyle="round", zorder=1)
    axes.plot(*_line(points), color=colour, linewidth=1)
    for i, point in enumerate(points):
        x, y, alpha = point.throughput, point.latency, PALE if point.pale else 1.0
        if (ends := _ends(x)) is not None:
            axes.plot(ends, [y.value] * 2, color=colour, linewidth=0.9, alpha=alpha)
        if (ends := _ends(y)) is not None:
            axes.plot([x.value] * 2, ends, color=colour, linewidth=0.9, alpha=alpha)
        axes.plot([x.value], [y.value], marker=marker, color=colour, markersize=4, alpha=alpha)
        if i == curve.knee:
            axes.plot([x.value], [y.value], "o", color=colour, fillstyle="none", markersize=10, markeredgewidth=1.1)


def _line(points: list[DrawnPoint]) -> tuple[list[float], list[float]]:
    return [point.throughput.value for point in points], [point.latency.value for point in points]


def _ends(figure: Figure) -> list[float] | None:
    return None if figure.low is None or figure.high is None else [figure.low, figure.high]


def _write_levels(axes: Axes, chart: ResponseChart, width: float, height: float) -> None:
    """The level beside each mark where there is room, knees first."""
    points = [(point, i == curve.knee) for curve in chart.curves for i, point in enumerate(curve.points)]
    points.sort(key=lambda each: not each[1])
    places = [
        (chart.x.share(point.throughput.value) * width, (1 - chart.y.share(point.latency.value)) * height)
        for point, _ in points
    ]
    texts = [f"knee {point.label}" if knee else point.label for point, knee in points]
    wanted = [Wanted(*place, short(text, 20)) for place, text in zip(places, texts, strict=True)]
    for (point, knee), label, offset in zip(points, wanted, placed(wanted, places, width, height), strict=True):
        if offset is not None:
            axes.annotate(
                label.text, (point.throughput.value, point.latency.value), (0.72 * offset.dx, -0.72 * offset.dy),
                textcoords="offset points", ha={"start": "left", "middle": "center", "end": "right"}[offset.anchor],
                fontsize=SMALL, color=INK, fontweight="bold" if knee else "normal",
            )  # fmt: skip


def _draw_legend(sheet: Sheet, chart: ResponseChart) -> None:
    sheet.figure.legend(
        handles=[_handle(curve) for curve in chart.curves], loc="upper left",
        bbox_to_anchor=(MARGIN / sheet.width, 1 - (sheet.top - 0.04) / sheet.height), ncols=6, frameon=False,
        fontsize=8, borderpad=0, borderaxespad=0, labelcolor=INK, handlelength=1.2,
    )  # fmt: skip


def _handle(curve: DrawnCurve) -> Line2D:
    colour, marker = SERIES[curve.colour - 1], MARKERS[curve.colour - 1]
    return Line2D([], [], color=colour, marker=marker, linewidth=1, markersize=4, label=short(curve.label, 18))


def _explanations(content: ResponseContent, chart: ResponseChart) -> list[str]:
    points = [point for curve in chart.curves for point in curve.points]
    pale = " Pale: measured memory, or a coarse clock." if any(point.pale for point in points) else ""
    knees = " Ring: a knee; broad line: the levels between which it is." if any(c.span for c in chart.curves) else ""
    marks = f"Marks: levels of {content.over_label}, with the 95 % intervals of {both_figures(content)}.{knees}{pale}"
    return [f"{marks} {logarithmic(chart)}".rstrip(), *knee_sentences(content)]
