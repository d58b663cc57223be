"""Distributions of latencies as text: base64 of HdrHistogram's encoding V2, not compressed, in nanoseconds.

Source: HdrHistogram's `AbstractHistogram.encodeIntoByteBuffer`: a header of big-endian numbers, then the counts of the
buckets in ascending order as zigzag LEB128; a negative number -n skips n empty buckets. Three significant digits: up to
2,048 every number has its own bucket, above that each power of two is divided into 1,024.

A tool's own buckets are counted at their middle, so that the error is that of the tool.
"""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from .varint import zigzag_leb128

# The metric whose values carry the distributions: of each operation's latency it is the mean.
WITH_HISTOGRAM = "latency_mean"
LONGEST = 131_072  # characters of one distribution

_HEADER = struct.Struct(">iiiiqqd")
_COOKIE = 0x1C849313
_DIGITS = 3
_SUB_BITS = 10
_HOUR = 3_600_000_000_000
_TEXT = re.compile(r"HISTEw[A-Za-z0-9+/]*={0,2}")  # base64 of the cookie


def packed_histogram(counts: Mapping[int, int]) -> str:
    """The text of a distribution; `counts` are operations by latency in ns, at least one of each.

    Raises PackingError for numbers of more than 63 bits.
    """
    buckets = added([_bucket_of(latency) for latency in counts], counts.values())
    encoded = zigzag_leb128(_runs(buckets))
    header = _HEADER.pack(_COOKIE, len(encoded), 0, _DIGITS, 1, max(_HOUR, *counts), 1.0)
    return b64encode(header + encoded).decode("ascii")


def added(keys: Collection[int], counts: Collection[int]) -> dict[int, int]:
    """The sum of the counts of each key."""
    sums = dict(zip(keys, counts))
    if len(sums) == len(keys):
        return sums
    sums = {}
    for key, count in zip(keys, counts):
        sums[key] = sums.get(key, 0) + count
    return sums


@lru_cache(maxsize=4096)  # the buckets of a tool are the same in each of its histograms
def _bucket_of(latency: int) -> int:
    shift = latency.bit_length() - 1 - _SUB_BITS
    return (shift << _SUB_BITS) + (latency >> shift) if shift > 0 else latency


def as_packed_histogram(value: object) -> str | None:
    """The value if it looks like such a text, which the server decodes; else None."""
    fits = isinstance(value, str) and len(value) <= LONGEST and _TEXT.fullmatch(value)
    return str(value) if fits else None


def _runs(buckets: Mapping[int, int]) -> Iterator[int]:
    """The counts in ascending order, and the negative number of empty buckets before a count."""
    following = 0
    for bucket, count in sorted(buckets.items()):
        if bucket > following:
            yield following - bucket
        yield count
        following = bucket + 1
