"""xz files of several streams: their content, their padding, and the memory that reading them takes."""

import lzma
import tracemalloc
from random import Random

import pytest

from benchagent.formats.reading.compressed import MOST_STREAMS, XzStream

PART = lzma.compress(b"0123456789", preset=0)
LARGE = Random(1).randbytes(1 << 20)  # packs to as many bytes


@pytest.mark.parametrize("size", [-1, 0, 1, 10, 15, 30, 31])
def test_padded_streams_are_one_content(size: int) -> None:
    packed = PART + bytes(4) + PART + PART + bytes(8)
    assert XzStream(packed).read(size) == (b"0123456789" * 3)[: size if size >= 0 else None]


@pytest.mark.parametrize("size", [-1, 100_000, len(LARGE), len(LARGE) + 10])
def test_a_stream_longer_than_a_chunk_is_read_whole(size: int) -> None:
    packed = lzma.compress(LARGE, filters=[{"id": lzma.FILTER_LZMA2, "mode": lzma.MODE_FAST, "lc": 0}]) + PART
    assert XzStream(packed).read(size) == (LARGE + b"0123456789")[: size if size >= 0 else None]


def test_a_long_padding_is_not_copied_for_each_stream() -> None:
    packed = PART * 3 + bytes(8 * 2**20)
    tracemalloc.start()
    try:
        assert XzStream(packed).read(100) == b"0123456789" * 3
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * 2**20


def test_a_cut_file_and_too_many_streams_are_errors() -> None:
    with pytest.raises(EOFError):
        XzStream(PART + PART[:-8]).read(100)
    with pytest.raises(lzma.LZMAError, match="more than"):
        XzStream(PART * (MOST_STREAMS + 1)).read()
    assert len(XzStream(PART * MOST_STREAMS).read()) == 10 * MOST_STREAMS
