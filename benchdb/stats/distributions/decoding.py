"""Decodes HdrHistogram's encoding V2, many histograms at once.

`benchagent.formats.packing.histogram` describes the format, and encodes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
ByteArray = npt.NDArray[np.uint8]

_HEADER = np.dtype(
    {
        "names": ["cookie", "length", "offset", "digits", "lowest", "highest", "ratio"],
        "formats": [">i4", ">i4", ">i4", ">i4", ">i8", ">i8", ">f8"],
    }
)
_COOKIE = 0x1C849313
# Binary digits of a bucket's place inside its power of two, by significant decimal digits. One digit would be 6 % off.
_SUB_BITS = {2: 7, 3: 10}
_MOST_NUMBER_BYTES = 8  # of 7 bits, one of them the sign
_GREATEST = 2**53  # a double holds whole numbers up to here; latencies of ns up to 104 days


class FaultyHistogram(ValueError):
    """Bytes that are no histogram; `index` is its place among those that were given."""

    def __init__(self, index: int, expected: str) -> None:
        super().__init__(expected)
        self.index, self.expected = index, expected


@dataclass(frozen=True, slots=True)
class Buckets:
    """The K buckets with operations, by histogram and ascending.

    `owner` (K,) is the place of the histogram, `latency` (K,) the middle of the bucket in ns, `count` (K,) operations.
    """

    owner: IntArray
    latency: IntArray
    count: IntArray


def decoded(histograms: Sequence[bytes]) -> Buckets:
    """The buckets of these histograms. Raises FaultyHistogram for the first one that cannot be read."""
    sub_bits = np.array([_checked_header(i, each) for i, each in enumerate(histograms)], dtype=np.int64)
    lengths = np.array([len(each) - _HEADER.itemsize for each in histograms], dtype=np.int64)
    payload = np.frombuffer(b"".join(each[_HEADER.itemsize :] for each in histograms), dtype=np.uint8)
    numbers, owner = _numbers(payload, lengths)
    place = _places(numbers, owner)
    occupied = numbers > 0
    owner, place, count = owner[occupied], place[occupied], numbers[occupied]
    shift = np.maximum((place >> sub_bits[owner]) - 1, 0)
    _refuse(owner, shift > 53 - 1 - sub_bits[owner], "latencies below 2^53 ns")
    lowest = (place - (shift << sub_bits[owner])) << shift
    total = np.bincount(owner, count, minlength=len(histograms))
    _refuse(np.arange(len(histograms)), (total < 1) | (total > _GREATEST), "between 1 and 2^53 operations")
    return Buckets(owner, lowest + (1 << shift >> 1), count)


def _checked_header(index: int, histogram: bytes) -> int:
    """The binary digits of the histogram's buckets."""
    if len(histogram) <= _HEADER.itemsize:
        raise FaultyHistogram(index, "a header of 40 bytes, and counts")
    header = np.frombuffer(histogram, dtype=_HEADER, count=1)[0]
    if header["cookie"] != _COOKIE:
        raise FaultyHistogram(index, "HdrHistogram's encoding V2, not compressed")
    if header["length"] != len(histogram) - _HEADER.itemsize:
        raise FaultyHistogram(index, "as many bytes of counts as the header says")
    if header["digits"] not in _SUB_BITS:
        raise FaultyHistogram(index, "two or three significant digits")
    if (header["offset"], header["lowest"], header["ratio"]) != (0, 1, 1.0):
        raise FaultyHistogram(index, "whole nanoseconds: lowest value 1, offset 0, ratio 1")
    return _SUB_BITS[int(header["digits"])]


def _numbers(payload: ByteArray, lengths: IntArray) -> tuple[IntArray, IntArray]:
    """The signed numbers of all payloads (N,), and the histogram of each."""
    ends = np.flatnonzero(payload < 0x80)
    last = np.cumsum(lengths) - 1
    _refuse(np.arange(len(lengths)), payload[last] > 0x7F, "counts that are complete")
    starts = np.concatenate(([0], ends[:-1] + 1))
    owner = np.repeat(np.arange(len(lengths)), np.diff(np.searchsorted(ends, last, side="right"), prepend=0))
    _refuse(owner, ends - starts >= _MOST_NUMBER_BYTES, "counts below 2^55")
    within = np.arange(len(payload)) - np.repeat(starts, ends - starts + 1)
    zigzag = np.add.reduceat((payload & 0x7F).astype(np.int64) << (7 * within), starts)
    return (zigzag >> 1) ^ -(zigzag & 1), owner


def _places(numbers: IntArray, owner: IntArray) -> IntArray:
    """The bucket of each count (N,): 0 and negative numbers stand for one or more empty buckets."""
    steps = np.where(numbers < 0, -numbers, 1)
    _refuse(owner, steps > _GREATEST, "runs of empty buckets below 2^53")
    # As floats for the check: the sum of many long runs of empty buckets would exceed 64 bits.
    _refuse(owner, np.cumsum(steps.astype(np.float64)) > 2**62, "fewer empty buckets")
    before = np.cumsum(steps) - steps
    return np.asarray(before - before[np.searchsorted(owner, np.arange(owner[-1] + 1))][owner])


def _refuse(owner: IntArray, wrong: npt.NDArray[np.bool_], expected: str) -> None:
    if wrong.any():
        raise FaultyHistogram(int(owner[np.argmax(wrong)]), expected)
