"""fio's latency histograms: `bins` of json+, and the columns of `_clat_hist` logs.

fio has 64 buckets for each power of two, and one for each number below 128 (`plat_idx_to_val` in its `stat.c`). A
bucket is at most 1/64 as wide as its lower edge. From 3.0 on the numbers are nanoseconds, before microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from benchagent.formats.packing.histogram import added, packed_histogram
from benchagent.formats.reading.located_json import Counts, Leaf, Node, Object

_BITS = 6
_EXACT = 2 << _BITS  # up to here each number has a bucket
MOST_BUCKETS = 64 << _BITS
_LONGEST_COUNT = 18  # digits
_SETTINGS = "FIO_IO_U_PLAT_"  # before the numbers of the buckets in 2.x, which has indexes of buckets
_GREATEST = 2**53
_NS = {"ns": 1, "us": 1000}


@lru_cache(maxsize=MOST_BUCKETS)
def bucket_of_index(index: int) -> tuple[int, int]:
    """The lower edge of fio's bucket with this index, from 0, and the next bucket's."""
    if index < _EXACT:
        return index, index + 1
    bits = (index >> _BITS) - 1
    low = ((1 << _BITS) + index % (1 << _BITS)) << bits
    return low, low + (1 << bits)


@lru_cache(maxsize=MOST_BUCKETS)
def bucket_of_value(value: int) -> tuple[int, int]:
    """The edges of the bucket with this number in it. json+ prints the middle of a bucket."""
    if value < _EXACT:
        return value, value + 1
    bits = value.bit_length() - 1 - _BITS
    low = value >> bits << bits
    return low, low + (1 << bits)


@lru_cache(maxsize=MOST_BUCKETS)
def _middle_ns(bucket: tuple[int, int], unit: str) -> int:
    low, high = bucket
    return low if high == low + 1 and unit == "ns" else (low + high) * _NS[unit] // 2


@lru_cache(maxsize=MOST_BUCKETS)
def _middle_of_value(value: int, unit: str) -> int:
    return _middle_ns(bucket_of_value(value), unit)


def histogram(unit: str, counted: Iterable[tuple[tuple[int, int], int]]) -> dict[int, int]:
    """Operations by latency in nanoseconds, ascending: each bucket at its middle, or at its only number.

    `counted` has ((low, high), count) in any order: the latencies from low up to but not including high, in `unit`,
    "ns" or "us". The buckets do not overlap. Empty ones are left out, and counts of one are added.
    """
    buckets = list(counted)
    return _ascending([_middle_ns(bucket, unit) for bucket, _ in buckets], [count for _, count in buckets])


def _ascending(latencies: Collection[int], counts: Collection[int]) -> dict[int, int]:
    return {latency: count for latency, count in sorted(added(latencies, counts).items()) if count}


def packed(counts: Mapping[int, int]) -> str | None:
    """A histogram for documents.

    None if there is no operation, or if a number is beyond what documents take: 2^53 operations, or ns.
    """
    return packed_histogram(counts) if counts and max(*counts, sum(counts.values())) <= _GREATEST else None


class Bins(NamedTuple):
    """The histogram of one section of latencies for documents; if there is none, `fault` is the reason, or empty."""

    packed: str | None
    fault: str = ""


def read_bins(bins: Node | None, unit: str) -> Bins:
    """Read the `bins` of json+. They are read whole or not at all."""
    if bins is None:
        return Bins(None)
    if isinstance(bins, Counts):
        printed: dict[str, int] = json.loads(bins.text)
        counts = _ascending([_middle_of_value(int(key), unit) for key in printed], printed.values())
    elif isinstance(bins, dict):
        buckets = dict(_buckets(bins))
        if faulty := [key for key, bucket in buckets.items() if bucket is None]:
            return Bins(None, f'"{faulty[0][:80]}" is no bucket with a count')
        counts = histogram(unit, [bucket for bucket in buckets.values() if bucket])
    else:
        return Bins(None, "no object with buckets and counts")
    text = packed(counts)
    return Bins(text, "operations or latencies beyond 2^53" if counts and not text else "")


def _buckets(bins: Object) -> Iterator[tuple[str, tuple[tuple[int, int], int] | None]]:
    """Each bucket by its key, with its count; None for one that is no number or has no count."""
    by_index = any(key.startswith(_SETTINGS) for key in bins)
    for key, node in bins.items():
        number, count = _number(key), count_of(node)
        if number is None or count is None or (by_index and number >= MOST_BUCKETS):
            if not key.startswith(_SETTINGS):
                yield key, None
            continue
        yield key, ((bucket_of_index if by_index else bucket_of_value)(number), count)


def count_of(node: Node | None) -> int | None:
    """A whole number as fio prints it; None for anything else."""
    return _number(node.text) if isinstance(node, Leaf) else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT else None
