"""fio's latency histograms: `bins` of json+, and the columns of `_clat_hist` logs.

fio has 64 buckets for each power of two, and one for each number below 128 (`plat_idx_to_val` in its `stat.c`). A
bucket is at most 1/64 as wide as its lower edge. From 3.0 on the numbers are nanoseconds, before microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_BITS = 6
_EXACT = 2 << _BITS  # up to here each number has a bucket
MOST_BUCKETS = 64 << _BITS


@dataclass(frozen=True)
class LatencyBins:
    """Numbers of operations by latency.

    Bucket i holds `counts[i]` latencies from `lows[i]` up to but not including `highs[i]`, in `unit`, "ns" or "us". The
    buckets ascend and do not overlap; empty ones are left out.
    """

    unit: str
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of operations."""
        return sum(self.counts)


def bucket_of_index(index: int) -> tuple[int, int]:
    """The lower edge of fio's bucket with this index, from 0, and the next bucket's."""
    if index < _EXACT:
        return index, index + 1
    bits = (index >> _BITS) - 1
    low = ((1 << _BITS) + index % (1 << _BITS)) << bits
    return low, low + (1 << bits)


def bucket_of_value(value: int) -> tuple[int, int]:
    """The edges of the bucket with this number in it. json+ prints the middle of a bucket."""
    if value < _EXACT:
        return value, value + 1
    bits = value.bit_length() - 1 - _BITS
    low = value >> bits << bits
    return low, low + (1 << bits)


def histogram(unit: str, counted: Iterable[tuple[tuple[int, int], int]]) -> LatencyBins:
    """The histogram of ((low, high), count), in any order; empty buckets are left out, and counts of one are added."""
    counts: dict[tuple[int, int], int] = {}
    for edges, count in counted:
        if count:
            counts[edges] = counts.get(edges, 0) + count
    ordered = sorted(counts)
    return LatencyBins(
        unit, tuple(low for low, _ in ordered), tuple(high for _, high in ordered), tuple(counts[e] for e in ordered)
    )
