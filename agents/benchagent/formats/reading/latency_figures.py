"""Figures of latencies: of a distribution, and which percentiles have enough slower operations to be figures.

Where fewer operations are slower, a percentile is little more than the slowest operations by chance.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from .runs import RunValue

LEAST_BEYOND = 10  # operations that are slower than a percentile
SHARES = {
    "latency_p50": 0.5,
    "latency_p90": 0.9,
    "latency_p95": 0.95,
    "latency_p99": 0.99,
    "latency_p999": 0.999,
    "latency_p9999": 0.9999,
}
_OF_DISTRIBUTION = ("latency_p50", "latency_p90", "latency_p99", "latency_p999", "latency_p9999")
PERCENTILES = {round(100 * share, 6): metric for metric, share in SHARES.items()}


def has_enough_beyond(share: float, operations: float) -> bool:
    """Whether of so many operations at least ``LEAST_BEYOND`` are slower than this percentile."""
    return operations * (1 - share) >= LEAST_BEYOND * (1 - 1e-9)


def with_enough_beyond(values: Iterable[RunValue], operations: float | None) -> Iterator[RunValue]:
    """The values of so many operations, without percentiles that too few of them were slower than.

    If the number of operations is unknown (None), the percentiles are those that the tool printed.
    """
    for value in values:
        other = value.params.get("percentile")
        share = other / 100 if isinstance(other, (int, float)) else SHARES.get(value.metric)
        if share is None or operations is None or has_enough_beyond(share, operations):
            yield value


def latency_figures(counts: Mapping[int, int]) -> dict[str, float]:
    """The figures in seconds, by metric; `counts` are operations by latency in ns, ascending, at least one."""
    operations = sum(counts.values())
    found = {
        "latency_mean": sum(latency * count for latency, count in counts.items()) / operations / 1e9,
        "latency_max": max(counts) / 1e9,
    }
    latencies, below = [*counts], [*accumulate(counts.values())]
    for metric, share in SHARES.items():
        if metric in _OF_DISTRIBUTION and has_enough_beyond(share, operations):
            found[metric] = latencies[bisect_left(below, operations * share * (1 - 1e-12))] / 1e9
    return found
