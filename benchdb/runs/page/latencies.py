"""Latencies and other statistics of one quantity as one table: a row for each test and place, a column for each."""

from __future__ import annotations

from collections.abc import Mapping

from benchagent.formats.reading.latency_figures import has_enough_beyond
from benchdb.runs.queries import Measured

LATENCY = "latency"
# The shares of operations, in percent, that are at most as slow; the minimum is the first, the maximum the last.
_SHARES = {
    "latency_min": 0.0,
    "latency_p50": 50.0,
    "latency_p90": 90.0,
    "latency_p95": 95.0,
    "latency_p99": 99.0,
    "latency_p999": 99.9,
    "latency_p9999": 99.99,
    "latency_max": 100.0,
}
# Statistics of a quantity that tools print beside it, in the order of columns.
_VIEWS = {"parent": -4.0, "mean": -2.0, "avg": -2.0, "sd": -1.0, "min": 0.0, "max": 100.0}


def quantity_of(metric: str) -> str:
    """The metric, but one name for all latencies, which share a table."""
    return LATENCY if metric.startswith("latency_") else metric


def share_of(metric: str, params: Mapping[str, object]) -> float | None:
    """The share of operations, in percent, that took at most this latency; None for a mean and for its sd."""
    if metric == "latency_percentile":
        percentile = params.get("percentile")
        return float(percentile) if isinstance(percentile, int | float) else None
    return _SHARES.get(metric)


def has_meaning(result: Measured) -> bool:
    """Whether enough operations were slower than this percentile, if their number is known, or it is none."""
    share = share_of(result.metric, result.params)
    done = (result.evidence or {}).get("logical_bytes")
    if share in (None, 0.0, 100.0) or not result.record_size or not result.n or not isinstance(done, int):
        return True
    return has_enough_beyond((share or 0.0) / 100, done / result.record_size / result.n)


def is_view(params: Mapping[str, object]) -> bool:
    """Whether a result is a statistic of the quantity, such as its minimum."""
    return params.get("view") in _VIEWS


def column_of(metric: str, params: Mapping[str, object]) -> tuple[float, str]:
    """The place of a result among the columns of its table, and the column's head: `(99.9, "99.9 %")`."""
    share = share_of(metric, params)
    if share is not None and 0 < share < 100:
        return share, f"{share:g} %"
    if share is not None:
        return share, "min" if share == 0.0 else "max"
    if is_view(params):
        return _VIEWS[str(params["view"])], str(params["view"])
    return (-2.0, "mean") if quantity_of(metric) == LATENCY else (-3.0, "value")


def without_column(params: Mapping[str, object]) -> dict[str, object]:
    """The params that make a row, without those that make a column."""
    return {
        name: value
        for name, value in params.items()
        if name != "percentile" and not (name == "view" and is_view(params))
    }
