"""Latency percentiles of a run as curves over an axis of nines. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from benchagent.formats.vocabulary import test_label
from benchdb.wording.numbers import say_number
from benchdb.wording.words import place_in_words

from .latencies import share_of, without_column
from .outline import ResultOutline

MOST_CURVES = 7  # the series that colours tell apart (styles/_tokens.scss)
LEAST_POINTS = 3  # of a curve
WIDTH, HEIGHT = 1000, 200  # of the plot in its own units; the page stretches it
TICKS = (50.0, 90.0, 99.0, 99.9, 99.99)


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve of a test; `path` is in units of the plot, `points` marks its percentiles."""

    label: str
    series: int
    path: str
    points: str


@dataclass(frozen=True, slots=True)
class CurveTick:
    """A text at a share of the plot's width or height, in percent from the left or from the top."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class PercentileCurves:
    """The percentile curves of runs/picture.html; `grid` are paths, `left_out` is the number of further curves."""

    width: int
    height: int
    curves: Sequence[Curve]
    shares: Sequence[CurveTick]
    latencies: Sequence[CurveTick]
    grid: Sequence[str]
    left_out: int


Points = list[tuple[float, float]]  # (share in percent, latency in seconds), by share


def percentile_curves(outline: Iterable[ResultOutline]) -> PercentileCurves | None:
    """The curves of the first tests with at least three percentiles; None if there is none.

    fio has several kinds of latencies; the curve of a test is that of its first kind with percentiles.
    """
    lines = _lines(outline)
    shown = dict(list(lines.items())[:MOST_CURVES])
    if not shown:
        return None
    most = max(_nines(share) for points in shown.values() for share, _ in points)
    seconds = [latency for points in shown.values() for _, latency in points]
    low, high = floor(log10(min(seconds))), ceil(log10(max(seconds)))
    high = max(high, low + 1)

    def place(share: float, latency: float) -> str:
        x, y = WIDTH * _nines(share) / most, HEIGHT * (high - log10(latency)) / (high - low)
        return f"{x:.4g} {y:.4g}"

    return PercentileCurves(
        width=WIDTH,
        height=HEIGHT,
        curves=[
            Curve(
                label,
                series,
                path="M" + "L".join(place(*point) for point in points),
                points="".join(f"M{place(*point)}h0" for point in points),
            )
            for series, (label, points) in enumerate(_labels(shown).items(), start=1)
        ],
        shares=[
            CurveTick(round(100 * _nines(share) / most, 2), f"{share:g} %") for share in TICKS if _nines(share) <= most
        ],
        latencies=[
            CurveTick(round(100 * (high - power) / (high - low), 2), _say_power(power))
            for power in range(low, high + 1)
        ],
        grid=[
            *(f"M{WIDTH * _nines(share) / most:.4g} 0v{HEIGHT}" for share in TICKS if _nines(share) <= most),
            *(f"M0 {HEIGHT * (high - power) / (high - low):.4g}h{WIDTH}" for power in range(low + 1, high + 1)),
        ],
        left_out=len(lines) - len(shown),
    )


Key = tuple[str, str]  # test and place


def _lines(outline: Iterable[ResultOutline]) -> dict[Key, Points]:
    """The points of each test and place."""
    lines: dict[Key, Points] = {}
    kinds: dict[Key, object] = {}
    for row in outline:
        share = share_of(row.metric, row.params)
        if share is None or not 0 < share < 100 or not row.mean:
            continue
        params = without_column(row.params)
        kind = params.pop("latency", None)
        key = (test_label(row.test), place_in_words(row._replace(params=params)))
        if kinds.setdefault(key, kind) == kind:
            lines.setdefault(key, []).append((share, row.mean))
    return {key: sorted(points) for key, points in lines.items() if len(points) >= LEAST_POINTS}


def _labels(lines: dict[Key, Points]) -> dict[str, Points]:
    """The lines by label: the test, and its place if the test has several."""
    tests = Counter(test for test, _ in lines)
    return {f"{test}, {place}" if tests[test] > 1 else test: points for (test, place), points in lines.items()}


def _nines(share: float) -> float:
    """The number of nines in a share in percent: 90 → 1, 99 → 2, 99.9 → 3."""
    return -log10(1 - share / 100)


def _say_power(power: int) -> str:
    """A power of ten of seconds: `10 µs`."""
    for unit, exponent in (("s", 0), ("ms", -3), ("µs", -6)):
        if power >= exponent:
            return f"{say_number(10.0 ** (power - exponent), 0)} {unit}"
    return f"{say_number(10.0 ** (power + 9), 0 if power >= -9 else 3)} ns"
