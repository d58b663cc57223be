"""fio's latency histograms: `bins` of json+, and the columns of `_clat_hist` logs.

fio has 64 buckets for each power of two, and one for each number below 128 (`plat_idx_to_val` in its `stat.c`). A
bucket is at most 1/64 as wide as its lower edge. From 3.0 on the numbers are nanoseconds, before microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchagent.formats.packing.histogram import packed_histogram
from benchagent.formats.reading.located_json import Leaf, Node, Object

_BITS = 6
_EXACT = 2 << _BITS  # up to here each number has a bucket
MOST_BUCKETS = 64 << _BITS
_LONGEST_COUNT = 18  # digits
_SETTINGS = "FIO_IO_U_PLAT_"  # before the numbers of the buckets in 2.x, which has indexes of buckets
_GREATEST = 2**53
_NS = {"ns": 1, "us": 1000}


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

    def packed(self) -> str | None:
        """The distribution for documents, each bucket at its middle.

        None if there is no operation, or if a number is beyond what documents take: 2^53 operations, or ns.
        """
        if not self.counts or max(self.highs[-1] * _NS[self.unit], self.total) > _GREATEST:
            return None
        return packed_histogram(self.middles())

    def middles(self) -> dict[int, int]:
        """Operations by latency in nanoseconds: each bucket at its middle, or at its only number."""
        times = _NS[self.unit]
        middles = (
            low if high == low + 1 and times == 1 else (low + high) * times // 2
            for low, high in zip(self.lows, self.highs)
        )
        return dict(zip(middles, self.counts))


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


def bins_of(latencies: Object, unit: str) -> LatencyBins:
    """The `bins` of json+ in one section of latencies; empty if it has none."""
    return histogram(unit, _buckets(latencies.get("bins")))


def _buckets(bins: Node | None) -> Iterator[tuple[tuple[int, int], int]]:
    """The buckets and their counts; keys that are no numbers are left out."""
    printed = bins if isinstance(bins, dict) else {}
    by_index = any(key.startswith(_SETTINGS) for key in printed)
    for key, node in printed.items():
        number, count = _number(key), count_of(node)
        if number is None or count is None or (by_index and number >= MOST_BUCKETS):
            continue
        yield (bucket_of_index if by_index else bucket_of_value)(number), count


def count_of(node: Node | None) -> int | None:
    """A whole number as fio prints it; None for anything else."""
    return _number(node.text) if isinstance(node, Leaf) else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT else None
