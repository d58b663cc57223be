"""Percentiles of latencies with enough slower operations to be a figure: one rule for all readers.

Where fewer operations are slower, a percentile is little more than the slowest operations by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
