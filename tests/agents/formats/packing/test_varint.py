"""Integers as zigzag LEB128: nothing is lost, and damaged or endless bytes are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.packing.varint import GREATEST, LEAST, LONGEST, PackingError, integers_of, zigzag_leb128

INTEGERS = st.lists(st.integers(LEAST, GREATEST))


@given(INTEGERS)
def test_integers_come_back(integers):
    encoded = zigzag_leb128(integers)
    assert integers_of(encoded, len(integers)) == integers
    assert len(encoded) <= LONGEST * len(integers)


@pytest.mark.parametrize(
    ("integer", "encoded"),
    # The table of Protocol Buffers' documentation, and LEB128's own example 624485 as a zigzag.
    [
        (0, "00"),
        (-1, "01"),
        (1, "02"),
        (-2, "03"),
        (0x7FFFFFFF, "feffffff0f"),
        (-0x80000000, "ffffffff0f"),
        (-312243, "e58e26"),
    ],
)
def test_known_encodings(integer, encoded):
    assert zigzag_leb128([integer]).hex() == encoded


@given(st.binary(max_size=300))
def test_any_bytes_are_integers_or_refused(data):
    try:
        integers = integers_of(data, 200)
    except PackingError:
        return
    assert len(integers) <= 200
    assert all(LEAST <= integer <= GREATEST for integer in integers)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x00" * 4, "4 integers; at most 3"),
        (b"\x80", "end inside an integer"),
        (b"\x80" * 10 + b"\x01", "more than 10 bytes"),
        (b"\xff" * 9 + b"\x7f", "more than 64 bits"),
    ],
)
def test_what_is_refused(data, message):
    with pytest.raises(PackingError, match=message):
        integers_of(data, 3)


@pytest.mark.parametrize("integer", [GREATEST + 1, LEAST - 1])
def test_more_than_64_bits_are_not_encoded(integer):
    with pytest.raises(PackingError, match="more than 64 bits"):
        zigzag_leb128([integer])
