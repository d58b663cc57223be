"""Integers as zigzag LEB128: seven bits a byte, the lowest first, the sign in the lowest bit.

Source: the signed integers ("sint64") of Protocol Buffers' encoding, and DWARF 5, 7.6, for the bytes. Small integers of
either sign take one byte, 64-bit ones at most ten.
"""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 10  # bytes of one integer, which has at most 64 bits
GREATEST = (1 << 63) - 1
LEAST = -(1 << 63)
_GREATEST_ZIGZAG = (1 << 64) - 1
_CONTINUED = bytes(range(0x80, 0x100))  # not the last byte of an integer
_OF_ONE_BYTE = [(byte >> 1) ^ -(byte & 1) for byte in range(0x80)]


class PackingError(ValueError):
    """Packed integers that cannot be read; the message is for the person who sent them."""


def zigzag_leb128(integers: Iterable[int]) -> bytes:
    """Encode integers of 64 bits. Raises PackingError for one that has more."""
    encoded: list[int] = []
    for integer in integers:  # of a long output, millions: most of one to three bytes
        rest = integer << 1 if integer >= 0 else ~(integer << 1)
        if rest < 0x80:
            encoded.append(rest)
        elif rest < 0x4000:
            encoded += (rest & 0x7F | 0x80, rest >> 7)
        elif rest < 0x200000:
            encoded += (rest & 0x7F | 0x80, rest >> 7 & 0x7F | 0x80, rest >> 14)
        elif rest <= _GREATEST_ZIGZAG:
            while rest > 0x7F:
                encoded.append(rest & 0x7F | 0x80)
                rest >>= 7
            encoded.append(rest)
        else:
            raise PackingError(f"{integer} has more than 64 bits")
    return bytes(encoded)


def integers_of(encoded: bytes, most: int) -> list[int]:
    """Decode at most `most` integers. Raises PackingError if there are more, or if the bytes end inside one."""
    count = len(encoded.translate(None, _CONTINUED))
    if count > most:
        raise PackingError(f"{count} integers; at most {most} are accepted")
    if count == len(encoded):
        return [_OF_ONE_BYTE[byte] for byte in encoded]
    integers = []
    rest = shift = 0
    for byte in encoded:
        rest |= (byte & 0x7F) << shift
        if byte > 0x7F:
            shift += 7
            if shift >= 7 * LONGEST:
                raise PackingError(f"an integer of more than {LONGEST} bytes")
            continue
        if rest >> 64:
            raise PackingError("an integer of more than 64 bits")
        integers.append((rest >> 1) ^ -(rest & 1))
        rest = shift = 0
    if encoded and encoded[-1] > 0x7F:
        raise PackingError("the bytes end inside an integer")
    return integers
