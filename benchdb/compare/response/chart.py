"""The picture of response curves, whatever draws it: throughput to the right, latency upwards. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.compare.table.charts.scale import Figure, Scale, scale_of_figures
from benchdb.compare.table.charts.shown import short_position
from benchdb.wording.colours import colours

from .content import ResponseAxis, ResponseContent, ResponseCurve, ResponsePoint
from .percentiles import shown_latency

COARSE = ("coarse", "unusable")  # verdicts on a clock


@dataclass(frozen=True, slots=True)
class DrawnPoint:
    """A level with both figures in the shown units; `index` is its place in the curve of the content.

    `label` is short, because the title names the dimension: `8` of `8 threads` and of `depth 8`.

    `pale` if it measured memory or the clock of its tool was coarse.
    """

    index: int
    label: str
    throughput: Figure
    latency: Figure
    pale: bool


@dataclass(frozen=True, slots=True)
class DrawnCurve:
    """A curve with its colour from 1 to 7. `knee` is the place of its knee in `points`, `span` those around it."""

    label: str
    colour: int
    points: list[DrawnPoint]
    knee: int | None
    span: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class ResponseChart:
    """All curves on common axes."""

    across: ResponseAxis
    up: ResponseAxis
    x: Scale
    y: Scale
    curves: list[DrawnCurve]


def response_chart(content: ResponseContent) -> ResponseChart | None:
    """The picture; None if no level has both figures."""
    numbers = colours([curve.label or "all" for curve in content.curves])
    drawn = [_curve(content, curve, colour) for curve, colour in zip(content.curves, numbers, strict=True)]
    points = [point for curve in drawn for point in curve.points]
    if not points:
        return None
    return ResponseChart(
        across=content.throughput,
        up=content.latency,
        x=scale_of_figures([point.throughput for point in points]),
        y=scale_of_figures([point.latency for point in points]),
        curves=[curve for curve in drawn if curve.points],
    )


def _curve(content: ResponseContent, curve: ResponseCurve, colour: int) -> DrawnCurve:
    points = [_point(content, i, point) for i, point in enumerate(curve.points) if point.complete]
    place = {point.index: i for i, point in enumerate(points)}
    knee = curve.knee
    if knee.at is None or knee.low is None or knee.high is None:
        return DrawnCurve(curve.label, colour, points, None, None)
    return DrawnCurve(curve.label, colour, points, place[knee.at], (place[knee.low], place[knee.high]))


def _point(content: ResponseContent, index: int, point: ResponsePoint) -> DrawnPoint:
    throughput, latency = point.throughput, shown_latency(point, content.latency.measure.shown)
    assert throughput is not None  # the point is complete
    assert latency is not None
    return DrawnPoint(
        index=index,
        label=short_position(point.label).removeprefix(f"{content.over_label} "),
        throughput=_figure(throughput.mean, throughput.low, throughput.high, content.throughput.per),
        latency=_figure(latency.mean, latency.low, latency.high, content.latency.per),
        pale=any(cell.cache.verdict == "cached" or cell.clock.verdict in COARSE for cell in (throughput, latency)),
    )


def _figure(mean: float | None, low: float | None, high: float | None, per: float) -> Figure:
    return Figure((mean or 0.0) / per, None if low is None else low / per, None if high is None else high / per)
