"""Decoded distributions are those that HdrHistogram's library has encoded; damaged ones are refused."""

from base64 import b64decode

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdb.stats.distributions.decoding import FaultyHistogram, decoded
from tests.stats.distributions.hdr import counts_of, text_of

COUNTS = st.dictionaries(st.integers(1, 10**13), st.integers(1, 2**40), min_size=1, max_size=30)
ONE = b64decode(text_of({5: 1, 900: 2, 70_000: 3}))


def by_histogram(histograms: list[bytes]) -> list[dict[int, int]]:
    buckets = decoded(histograms)
    of = [buckets.owner == i for i in range(len(histograms))]
    return [dict(zip(buckets.latency[own].tolist(), buckets.count[own].tolist(), strict=True)) for own in of]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(COUNTS, st.sampled_from([2, 3])), min_size=1, max_size=5))
def test_many_are_decoded_as_the_library_decodes_each(drawn: list[tuple[dict[int, int], int]]) -> None:
    texts = [text_of(counts, digits) for counts, digits in drawn]
    assert by_histogram([b64decode(text) for text in texts]) == list(map(counts_of, texts))


@settings(max_examples=25, deadline=None)
@given(COUNTS)
def test_a_latency_is_at_most_half_a_thousandth_off(counts: dict[int, int]) -> None:
    latencies = decoded([b64decode(text_of(counts))]).latency
    for latency in counts:
        assert np.abs(latencies - latency).min() <= latency / 2000


@given(st.integers(0, len(ONE) - 1), st.integers(0, 255))
def test_a_changed_byte_is_refused_or_read_as_something_else(place: int, byte: int) -> None:
    changed = ONE[:place] + bytes([byte]) + ONE[place + 1 :]
    refused = None
    try:
        buckets = decoded([ONE, changed])
    except FaultyHistogram as error:
        refused = error.index
    if refused is None:
        assert (buckets.count > 0).all()
        assert set(buckets.owner.tolist()) == {0, 1}
    assert refused in (None, 1)


def with_payload(payload: bytes, **fields: int) -> bytes:
    header = bytearray(ONE[:40])
    header[4:8] = len(payload).to_bytes(4, "big")
    for name, value in fields.items():
        start, width = {"offset": (8, 4), "digits": (12, 4), "lowest": (16, 8)}[name]
        header[start : start + width] = value.to_bytes(width, "big")
    return bytes(header) + payload


@pytest.mark.parametrize(
    ("histogram", "expected"),
    [
        (b"", "a header of 40 bytes"),
        (ONE[:40], "a header of 40 bytes"),
        (ONE[:-1], "as many bytes of counts"),
        (b"\x1c\x84\x93\x14" + ONE[4:], "encoding V2, not compressed"),
        (with_payload(ONE[40:], digits=1), "two or three significant digits"),
        (with_payload(ONE[40:], digits=5), "two or three significant digits"),
        (with_payload(ONE[40:], lowest=1000), "whole nanoseconds"),
        (with_payload(ONE[40:], offset=1), "whole nanoseconds"),
        (with_payload(b"\x02\x80"), "counts that are complete"),
        (with_payload(b"\xff" * 8 + b"\x00"), "counts below"),
        (with_payload(b"\x00"), "between 1 and 2^53 operations"),
        (with_payload(b"\xff\xff\xff\xff\xff\xff\xff\x7f\x02"), "empty buckets below 2^53"),
        (with_payload(b"\xff\xff\x7f\x02"), "latencies below 2^53 ns"),
        (with_payload(b"\xfe\xff\xff\xff\xff\xff\xff\x3f" * 2), "between 1 and 2^53 operations"),
    ],
)
def test_damaged_bytes_are_refused_with_their_place(histogram: bytes, expected: str) -> None:
    with pytest.raises(FaultyHistogram, match=expected.replace("^", r"\^")) as refused:
        decoded([ONE, histogram, ONE])
    assert refused.value.index == 1
