"""Latency percentiles of a run as curves over an axis of nines. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from benchagent.formats.packing.histogram import WITH_HISTOGRAM
from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.links import result_href
from benchdb.runs.distributions.axis import HEIGHT, WIDTH, axes_for, nines
from benchdb.runs.quantities.columns import Column, numbered
from benchdb.stats.arrays import IntArray
from benchdb.wording.words import common_and_own, params_in_words, place_words

from .latencies import LATENCY, quantity_of, share_of, without_column
from .outline import Outline, ResultOutline

MOST_CURVES = 7  # the series that colours tell apart (styles/_tokens.scss)
LEAST_POINTS = 3  # of a curve


Points = list[tuple[float, float]]  # (share in percent, latency in seconds), by share
Key = tuple[str, tuple[str, ...]]  # test and place


def percentile_curves(run_id: str, outline: Outline) -> dict[str, object] | None:
    """The curves of the first tests with at least three percentiles; None if there is none.

    fio has several kinds of latencies; the curve of a test is that of its first kind with percentiles.
    """
    metrics = [metric for metric in outline.column("metric").values if quantity_of(str(metric)) == LATENCY]
    places = np.flatnonzero(outline.quantities.having("metric", metrics) & (outline.means != 0))
    number, _ = outline.titles(places, lambda params: params_in_words(_without_kind(params)))
    lines, count = _lines(outline, places, number)
    if not lines:
        return None
    shown: dict[Key, Points] = {}
    means: dict[Key, int] = {}
    for of_line, points in lines.items():
        own = places[number == of_line]
        key = _key(outline.row(own[0]))
        shown[key] = points
        for row in map(outline.row, own[outline.quantities.having("metric", [WITH_HISTOGRAM])[own]]):
            if "view" not in row.params:
                means.setdefault(key, row.ordinal)
    axes = axes_for(
        (latency for points in shown.values() for _, latency in points),
        max(nines(share) for points in shown.values() for share, _ in points),
    )
    _, own = common_and_own([place for _, place in shown])
    tests = [test for test, _ in shown]
    # The percentile curves of runs/picture.html; `grid` are paths, `left_out` is the number of further curves.
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "curves": [
            # The curve of a test; `path` is in units of the plot, `points` marks its percentiles. `href` leads to the
            # mean latency of the test, which may have the whole distribution; None if there is no mean.
            {
                "label": f"{key[0]}, {words}" if tests.count(key[0]) > 1 else key[0],
                "href": result_href(run_id, means[key]) if key in means else None,
                "series": series,
                "path": "M" + "L".join(axes.place(*point) for point in points),
                "points": "".join(f"M{axes.place(*point)}h0" for point in points),
            }
            for series, ((key, points), words) in enumerate(zip(shown.items(), own, strict=True), start=1)
        ],
        "shares": axes.shares(),
        "latencies": axes.latencies(),
        "grid": axes.grid(),
        "left_out": count - len(shown),
    }


def _lines(outline: Outline, places: IntArray, number: IntArray) -> tuple[dict[int, Points], int]:
    """The points of the first tests and places, by their number, and how many there are.

    `number` (N,) is that of the test and place of the results at these places (N,).
    """
    how, first = numbered([outline.column(name).codes[places] for name in ("metric", "params")])
    rows = [outline.row(place) for place in places[first]]
    shares = np.array([share_of(row.metric, row.params) or 0.0 for row in rows])[how]
    kinds = Column.of(str(row.params.get("latency")) for row in rows).codes[how]
    inside = np.flatnonzero((shares > 0) & (shares < 100))
    _, begin, of_line = np.unique(number[inside], return_index=True, return_inverse=True)
    inside = inside[kinds[inside] == kinds[inside[begin]][of_line]]
    keys, begin, counts = np.unique(number[inside], return_index=True, return_counts=True)
    ordered = keys[np.argsort(begin)][counts[np.argsort(begin)] >= LEAST_POINTS]
    points = {line: inside[number[inside] == line] for line in ordered[:MOST_CURVES].tolist()}
    return {
        line: sorted(zip(shares[own].tolist(), outline.means[places[own]].tolist(), strict=True))
        for line, own in points.items()
    }, len(ordered)


def _key(row: ResultOutline) -> Key:
    return test_label(row.test), tuple(place_words(row._replace(params=_without_kind(row.params))))


def _without_kind(params: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in without_column(params).items() if name != "latency"}
