"""Series as text: nothing is lost, and a text that would inflate without end is refused before it is built."""

import tracemalloc
import zlib
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.packing.series import deflated, packed, unpacked
from benchagent.formats.packing.varint import PackingError, zigzag_leb128

HALF = 1 << 62  # differences of two such integers have 64 bits


@given(st.lists(st.integers(-HALF, HALF - 1)))
def test_series_come_back(integers):
    assert unpacked(packed(integers), len(integers)) == integers


def test_an_even_counter_takes_a_byte_in_ten_points():
    assert len(packed(range(0, 600 * 4096, 4096))) < 60


@given(st.text(max_size=100))
def test_any_text_is_a_series_or_refused(text):
    try:
        integers = unpacked(text, 50)
    except PackingError:
        return
    assert len(integers) <= 50


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("näh!", "not base64"),
        ("AAAA\n", "not base64"),
        ("AAAA", "not zlib"),
        (b64encode(zlib.compress(b"\x02" * 9)[:-3]).decode(), "cut off"),
        (b64encode(zlib.compress(b"\x02") + b"more").decode(), "after the compressed"),
        (packed([1] * 11), "11 integers; at most 10"),
        (deflated(zigzag_leb128([(1 << 63) - 1, 1])), "value of more than 64 bits"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(PackingError, match=message):
        unpacked(text, 10)


def test_a_bomb_is_refused_before_it_inflates():
    bomb = deflated(b"\x00" * 50_000_000)
    tracemalloc.start()
    with pytest.raises(PackingError, match="more than 6000 bytes"):
        unpacked(bomb, 600)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()
