"""A series of integers as text: base64 of zlib of the zigzag LEB128 of its differences.

The first difference is from 0, so that the text alone gives the integers. Counters that grow evenly and levels that
rarely change have small differences, which zlib shortens further.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from itertools import accumulate

from .varint import GREATEST, LEAST, LONGEST, PackingError, integers_of, zigzag_leb128


def packed(integers: Sequence[int]) -> str:
    """The text of a series. Raises PackingError for an integer, or a difference, of more than 64 bits."""
    differences = (after - before for before, after in zip([0, *integers], integers))
    return deflated(zigzag_leb128(differences))


def unpacked(text: str, most: int) -> list[int]:
    """The integers of a series of at most `most`. Raises PackingError if the text is not such a series."""
    integers = list(accumulate(integers_of(inflated(text, most * LONGEST), most)))
    if any(not LEAST <= integer <= GREATEST for integer in integers):
        raise PackingError("a value of more than 64 bits")
    return integers


def deflated(data: bytes) -> str:
    """Bytes as base64 of zlib; the same bytes give the same text."""
    return b64encode(zlib.compress(data, 9)).decode("ascii")


def inflated(text: str, most: int) -> bytes:
    """The bytes of `deflated`. Raises PackingError if there are more than `most`, or if the text is damaged."""
    try:
        data = b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise PackingError("not base64") from None
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(data, most + 1)  # one more, to see that there are more
    except zlib.error:
        raise PackingError("base64 of something that is not zlib") from None
    if len(plain) > most:
        raise PackingError(f"more than {most} bytes when inflated")
    if not stream.eof:
        raise PackingError("the compressed bytes are cut off")
    if stream.unused_data:
        raise PackingError("there are bytes after the compressed ones")
    return plain
