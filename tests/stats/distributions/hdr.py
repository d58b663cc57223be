"""Reads and writes distributions with HdrHistogram's own library, the second reader of our code."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping

from hdrh.histogram import HdrHistogram

COMPRESSED = bytes.fromhex("1c849314")  # the cookie in front of zlib's bytes; the library reads no other form
HOUR = 3_600_000_000_000


def counts_of(text: str) -> dict[int, int]:
    """The operations by latency in ns, at the middle of their buckets."""
    packed = zlib.compress(b64decode(text))
    histogram = HdrHistogram.decode(b64encode(COMPRESSED + len(packed).to_bytes(4, "big") + packed))
    return {
        _middle(histogram, each.value_iterated_to): each.count_at_value_iterated_to
        for each in histogram.get_recorded_iterator()
    }


def _middle(histogram: HdrHistogram, latency: int) -> int:
    lowest, highest = histogram.get_lowest_equivalent_value(latency), histogram.get_highest_equivalent_value(latency)
    return int(lowest + (highest - lowest + 1) // 2)


def text_of(counts: Mapping[int, int], digits: int = 3) -> str:
    """A distribution that the library has recorded and encoded."""
    histogram = HdrHistogram(1, max(HOUR, *counts), digits)
    for latency, count in counts.items():
        histogram.record_value(latency, count)
    return b64encode(zlib.decompress(b64decode(histogram.encode())[8:])).decode()
