"""The picture of response curves as pages draw it (compare/response_chart.html). Pure functions.

Horizontal places are shares of the page's width and vertical ones pixels, so that the picture fits any width without a
script and words keep their size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from benchdb.compare.table.charts.scale import Figure, Scale

from .chart import DrawnCurve, DrawnPoint, ResponseChart, response_chart
from .content import ResponseAxis, ResponseContent
from .labels import Wanted, placed
from .percentiles import both_figures

HEIGHT, PHONE = 340, 290  # pixels: the height of the field, and its width on a phone


def show_picture(content: ResponseContent) -> dict[str, object] | None:
    """The picture; None if no level has both figures."""
    chart = response_chart(content)
    if chart is None:
        return None
    labels = _labels(chart)
    points = [point for curve in chart.curves for point in curve.points]
    with_intervals = any(figure.low is not None for point in points for figure in (point.throughput, point.latency))
    # The context of compare/response_chart.html; `intervals` are those of its points in words, "" for none.
    return {
        "label": f"{content.latency.label} over {content.throughput.label.lower()}, as in the table below",
        "across": quantity(chart.across),
        "up": quantity(chart.up),
        "height": HEIGHT,
        "columns": [{"at": _x(chart.x, tick.value), "text": tick.text} for tick in chart.x.ticks],
        "rows": [{"at": _y(chart.y, tick.value), "text": tick.text} for tick in chart.y.ticks],
        "curves": [_curve(chart, c, curve, labels[c]) for c, curve in enumerate(chart.curves)],
        "several": len(chart.curves) > 1,
        "knees": any(curve.knee is not None for curve in chart.curves),
        "intervals": both_figures(content) if with_intervals else "",
        "pale": any(point.pale for point in points),
        "logarithmic": logarithmic(chart),
    }


def quantity(axis: ResponseAxis) -> str:
    """`throughput, MiB/s`."""
    return f"{axis.label}, {axis.unit}"


def logarithmic(chart: ResponseChart) -> str:
    """Which axes are logarithmic, in a sentence."""
    x, y = chart.x.logarithmic, chart.y.logarithmic
    if x and y:
        return "Both axes are logarithmic."
    return "The axis of latency is logarithmic." if y else "The axis of throughput is logarithmic." if x else ""


def _curve(chart: ResponseChart, number: int, curve: DrawnCurve, labels: list[dict[str, object]]) -> dict[str, object]:
    span = curve.points[curve.span[0] : curve.span[1] + 1] if curve.span else []
    # A curve: `span` are the segments between which its knee is, below all others.
    return {
        "label": curve.label,
        "colour": curve.colour,
        "span": list(_segments(chart, span)),
        "segments": list(_segments(chart, curve.points)),
        "points": [_point(chart, number, point, knee=i == curve.knee) for i, point in enumerate(curve.points)],
        "labels": labels,
    }


def _segments(chart: ResponseChart, points: Sequence[DrawnPoint]) -> Iterator[dict[str, object]]:
    for one, other in pairwise(points):
        (x1, y1), (x2, y2) = _place(chart, one), _place(chart, other)
        yield {"x1": x1, "y1": y1, "x2": x2, "y2": y2}


def _place(chart: ResponseChart, point: DrawnPoint) -> tuple[str, str]:
    return _x(chart.x, point.throughput.value), _y(chart.y, point.latency.value)


def _point(chart: ResponseChart, number: int, point: DrawnPoint, *, knee: bool) -> dict[str, object]:
    x, y = _place(chart, point)
    key = f"c{number}-{point.index}"
    # A mark with its whiskers; `href` leads to its cell in the table, `detail` is the key of its panel.
    return {
        "x": x,
        "y": y,
        "whiskers": list(_whiskers(chart, point)),
        "href": f"#{key}-0",
        "detail": f"{key}-1",
        "pale": point.pale,
        "knee": knee,
    }


def _whiskers(chart: ResponseChart, point: DrawnPoint) -> Iterator[dict[str, object]]:
    x, y = _place(chart, point)
    if (ends := _ends(point.throughput)) is not None:
        yield {"x1": _x(chart.x, ends[0]), "y1": y, "x2": _x(chart.x, ends[1]), "y2": y}
    if (ends := _ends(point.latency)) is not None:
        yield {"x1": x, "y1": _y(chart.y, ends[0]), "x2": x, "y2": _y(chart.y, ends[1])}


def _ends(figure: Figure) -> tuple[float, float] | None:
    return None if figure.low is None or figure.high is None else (figure.low, figure.high)


def _labels(chart: ResponseChart) -> list[list[dict[str, object]]]:
    """The labels of each curve: knees first, then names at the last points, then the other levels as room permits."""
    wanted = sorted(_wanted(chart), key=lambda each: each[0])
    places = [_pixels(chart, point) for curve in chart.curves for point in curve.points]
    texts = [Wanted(*_pixels(chart, point), text) for _, _, point, text in wanted]
    found: list[list[dict[str, object]]] = [[] for _ in chart.curves]
    for (rank, c, point, text), offset in zip(wanted, placed(texts, places, PHONE, HEIGHT), strict=True):
        if offset is not None:
            x, y = _place(chart, point)
            # A text beside a point; `strong` for a knee or the name of a curve.
            found[c].append(
                {
                    "x": x,
                    "y": y,
                    "dx": offset.dx,
                    "dy": offset.dy,
                    "anchor": offset.anchor,
                    "text": text,
                    "strong": rank < 2,
                }
            )
    return found


def _wanted(chart: ResponseChart) -> Iterator[tuple[int, int, DrawnPoint, str]]:
    """Rank, curve, point and text of each label."""
    several = len(chart.curves) > 1
    for c, curve in enumerate(chart.curves):
        last = len(curve.points) - 1
        for i, point in enumerate(curve.points):
            if i == curve.knee:
                yield 0, c, point, f"knee {point.label}"
            elif i == last and several:
                yield 1, c, point, f"{curve.label} {point.label}"
            else:
                yield 2 if i in (0, last) else 3, c, point, point.label


def _pixels(chart: ResponseChart, point: DrawnPoint) -> tuple[float, float]:
    return chart.x.share(point.throughput.value) * PHONE, float(_y(chart.y, point.latency.value))


def _x(scale: Scale, figure: float) -> str:
    return f"{100 * scale.share(figure):.2f}%"


def _y(scale: Scale, figure: float) -> str:
    return f"{HEIGHT * (1 - scale.share(figure)):.1f}"
