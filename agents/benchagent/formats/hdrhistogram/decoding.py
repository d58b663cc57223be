"""Decodes the histograms of a log: base64 of HdrHistogram's compressed encoding V2.

Source: HdrHistogram's `AbstractHistogram.decodeFromCompressedByteBuffer`: a cookie, the length, and deflated bytes.
They begin with another cookie and a header of big-endian numbers. The counts of the buckets follow in ascending order
as zigzag LEB128; a negative number -n skips n empty buckets.
"""

from __future__ import annotations

import binascii
import struct
import zlib
from base64 import b64decode
from dataclasses import dataclass

from benchagent.formats.packing.varint import PackingError, integers_of

_COMPRESSED, _PLAIN = 0x1C849304, 0x1C849303  # the lowest half byte but one is the size of a word, which V2 ignores
_WORD = 0xF0
_OUTER = struct.Struct(">ii")
_HEADER = struct.Struct(">iiiiqqd")
_MOST_BYTES = 4_000_000  # of one histogram, inflated
_MOST_BUCKETS = 1_000_000


@dataclass(frozen=True)
class LoggedHistogram:
    """Operations by latency, in the log's unit: the middles of the buckets, ascending."""

    counts: dict[int, int]

    @property
    def operations(self) -> int:
        """The number of operations."""
        return sum(self.counts.values())


def decoded_histogram(text: str) -> LoggedHistogram:
    """The histogram of a line. Raises PackingError with a reason for people."""
    try:
        outer = b64decode(text, validate=True)
        cookie, _ = _OUTER.unpack_from(outer)
        if cookie & ~_WORD != _COMPRESSED:
            raise PackingError("it is not in the compressed encoding V2")
        inflate = zlib.decompressobj()
        plain = inflate.decompress(outer[_OUTER.size :], _MOST_BYTES)
        if inflate.unconsumed_tail:
            raise PackingError(f"it has more than {_MOST_BYTES:,} bytes")
        cookie, length, _, digits, lowest, _, ratio = _HEADER.unpack_from(plain)
    except (binascii.Error, struct.error, zlib.error, ValueError) as error:
        if isinstance(error, PackingError):
            raise
        raise PackingError(f"it cannot be decoded: {error}") from None
    if cookie & ~_WORD != _PLAIN or not 1 <= digits <= 5 or lowest < 1 or ratio != 1:
        raise PackingError("its header is not one of whole numbers in the encoding V2")
    if length != len(plain) - _HEADER.size:
        raise PackingError(f"it has {len(plain) - _HEADER.size} bytes of counts instead of {length}")
    return LoggedHistogram(_counts(integers_of(plain[_HEADER.size :], _MOST_BUCKETS), digits, lowest))


def _counts(integers: list[int], digits: int, lowest: int) -> dict[int, int]:
    sub_bits = (2 * 10**digits - 1).bit_length()  # of the linear part: 2,048 buckets for three digits
    unit_bits = lowest.bit_length() - 1
    counts: dict[int, int] = {}
    bucket = 0
    for integer in integers:
        if integer < 0:
            bucket -= integer
        elif bucket >> (sub_bits - 1) > 63:
            raise PackingError("it has latencies of more than 63 bits")
        else:
            if integer:
                counts[_middle(bucket, sub_bits, unit_bits)] = integer
            bucket += 1
    return counts


def _middle(bucket: int, sub_bits: int, unit_bits: int) -> int:
    """The middle of the numbers that share a bucket, as HdrHistogram's `medianEquivalentValue`."""
    half = 1 << (sub_bits - 1)
    shift = max((bucket >> (sub_bits - 1)) - 1, 0)
    place = bucket if bucket < half else (bucket & (half - 1)) + half
    if bucket < 2 * half:
        shift, place = 0, bucket
    width = 1 << (shift + unit_bits)
    return (place << (shift + unit_bits)) + width // 2
