"""Latency percentiles of a run as curves over an axis of nines. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from benchagent.formats.packing.histogram import WITH_HISTOGRAM
from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.links import result_href
from benchdb.runs.distributions.axis import HEIGHT, WIDTH, axes_for, nines
from benchdb.wording.words import place_in_words

from .latencies import share_of, without_column
from .outline import ResultOutline

MOST_CURVES = 7  # the series that colours tell apart (styles/_tokens.scss)
LEAST_POINTS = 3  # of a curve


Points = list[tuple[float, float]]  # (share in percent, latency in seconds), by share
Key = tuple[str, str]  # test and place


def percentile_curves(run_id: str, outline: Sequence[ResultOutline]) -> dict[str, object] | None:
    """The curves of the first tests with at least three percentiles; None if there is none.

    fio has several kinds of latencies; the curve of a test is that of its first kind with percentiles.
    """
    lines = _lines(outline)
    shown = dict(list(lines.items())[:MOST_CURVES])
    if not shown:
        return None
    means = {
        _key(row): row.ordinal
        for row in reversed(outline)  # fio has several kinds of latencies: the first one, as for the curve
        if row.metric == WITH_HISTOGRAM and row.mean and "view" not in row.params
    }
    axes = axes_for(
        (latency for points in shown.values() for _, latency in points),
        max(nines(share) for points in shown.values() for share, _ in points),
    )
    # The percentile curves of runs/picture.html; `grid` are paths, `left_out` is the number of further curves.
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "curves": [
            # The curve of a test; `path` is in units of the plot, `points` marks its percentiles. `href` leads to the
            # mean latency of the test, which may have the whole distribution; None if there is no mean.
            {
                "label": _label(key, shown),
                "href": result_href(run_id, means[key]) if key in means else None,
                "series": series,
                "path": "M" + "L".join(axes.place(*point) for point in points),
                "points": "".join(f"M{axes.place(*point)}h0" for point in points),
            }
            for series, (key, points) in enumerate(shown.items(), start=1)
        ],
        "shares": axes.shares(),
        "latencies": axes.latencies(),
        "grid": axes.grid(),
        "left_out": len(lines) - len(shown),
    }


def _lines(outline: Iterable[ResultOutline]) -> dict[Key, Points]:
    """The points of each test and place."""
    lines: dict[Key, Points] = {}
    kinds: dict[Key, object] = {}
    for row in outline:
        share = share_of(row.metric, row.params)
        if share is None or not 0 < share < 100 or not row.mean:
            continue
        key, kind = _key(row), row.params.get("latency")
        if kinds.setdefault(key, kind) == kind:
            lines.setdefault(key, []).append((share, row.mean))
    return {key: sorted(points) for key, points in lines.items() if len(points) >= LEAST_POINTS}


def _key(row: ResultOutline) -> Key:
    params = {name: value for name, value in without_column(row.params).items() if name != "latency"}
    return test_label(row.test), place_in_words(row._replace(params=params))


def _label(key: Key, shown: Collection[Key]) -> str:
    """The test, and its place if the test has several."""
    test, place = key
    return f"{test}, {place}" if sum(other == test for other, _ in shown) > 1 else test
