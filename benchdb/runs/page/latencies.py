"""Latencies of a run as one table: a row for each test and place, a column for each percentile."""

from __future__ import annotations

from collections.abc import Mapping

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


def quantity_of(metric: str) -> str:
    """The metric, but one name for all latencies, which share a table."""
    return LATENCY if metric.startswith("latency_") else metric


def share_of(metric: str, params: Mapping[str, object]) -> float | None:
    """The share of operations, in percent, that took at most this latency; None for a mean and for its sd."""
    if metric == "latency_percentile":
        percentile = params.get("percentile")
        return float(percentile) if isinstance(percentile, int | float) else None
    return _SHARES.get(metric)


def column_of(metric: str, params: Mapping[str, object]) -> tuple[float, str]:
    """The place of a latency among the columns of its table, and the column's head: `(99.9, "99.9 %")`."""
    share = share_of(metric, params)
    if metric == "latency_mean" or share is None:
        return (-1.0, "sd") if params.get("view") == "sd" else (-2.0, "mean")
    if share in (0.0, 100.0):
        return share, "min" if share == 0.0 else "max"
    return share, f"{share:g} %"


def without_column(params: Mapping[str, object]) -> dict[str, object]:
    """The params that make a row, without those that make a column."""
    return {name: value for name, value in params.items() if name != "percentile" and (name, value) != ("view", "sd")}
