"""Counts the values of JSON from its commas and brackets, before anything is built of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import IntArray

# Memory use depends on the number of values, not on the length of the body: 128 MiB of `[],` take 3 GB.
MOST_VALUES = 2_000_000
_MARKS = (b",", b"[", b"{")
_PIECE = 1 << 20
_NAME = re.compile(rb'[{,]\s*("(?:[^"\\]|\\.)*")')
# By character: 1 for an opening bracket, -1 for a closing one, 0 for a comma; 9 for all others.
_STEPS = np.full(256, 9, np.int8)
_STEPS[[ord("["), ord("{")]], _STEPS[[ord("]"), ord("}")]], _STEPS[ord(",")] = 1, -1, 0


def most_values(body: bytes) -> int:
    """An upper bound of the number of values: the number of commas and opening brackets.

    Raw output is full of commas, so if the bound is too large, it is computed again without the strings.
    """
    marks = count(body, *_MARKS)
    return marks if marks <= MOST_VALUES else marks_outside_strings(body)


def marks_outside_strings(body: bytes) -> int:
    """The number of commas and opening brackets that are not in strings."""
    return sum(int(np.count_nonzero(steps >= 0)) for _, steps in _structure(body))


@dataclass(frozen=True, slots=True)
class PartMarks:
    """The P parts of an outermost object: where each begins, and the number of commas and opening brackets in it.

    The mark before the part counts too. `most_of_item` is the number in the largest item of a list or an object.
    """

    body: bytes
    places: npt.NDArray[np.integer]
    marks: npt.NDArray[np.integer]
    most_of_item: npt.NDArray[np.integer]

    def name(self, i: int) -> str | None:
        """The name of part i; None if it is no JSON."""
        try:
            found = _NAME.match(self.body, int(self.places[i]))
            return str(json.loads(found[1])) if found else None
        except ValueError:
            return None


def marks_of_parts(body: bytes) -> PartMarks:
    """Count the commas and opening brackets of each part. Whether the body is JSON is not checked."""
    pieces, depth, marks = [np.zeros((3, 0), np.int32)], 0, 0
    for positions, steps in _structure(body):
        depths = depth + np.cumsum(steps, dtype=np.int32)
        is_mark = steps >= 0
        begins = np.flatnonzero(is_mark & (depths > 0) & (depths <= 2))  # of parts and of their items
        before = marks - 1 + np.cumsum(is_mark, dtype=np.int32)
        pieces.append(np.array([positions[begins], depths[begins], before[begins]], np.int32))
        depth, marks = int(depths[-1]), marks + int(np.count_nonzero(is_mark))
    places, depths, before = np.concatenate(pieces, axis=1)
    amounts = np.diff(before, append=np.int32(marks))
    if not len(parts := np.flatnonzero(depths == 1)):
        return PartMarks(body, parts, parts, parts)
    return PartMarks(body, places[parts], np.add.reduceat(amounts, parts), np.maximum.reduceat(amounts, parts))


def _structure(body: bytes) -> Iterator[tuple[IntArray, npt.NDArray[np.int8]]]:
    """Commas and brackets outside of strings: their positions and steps, for each MiB that has any.

    In a fixed number of steps for each MiB: one step for each string took 12 s for 29 kB of gzip, which held two
    million short strings.
    """
    start, is_inside = 0, np.uint8(0)
    while start < len(body):
        piece = body[start : start + _PIECE]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:  # the last character escapes the next
            piece = body[start : start + _PIECE + 1]
        characters = np.frombuffer(piece.replace(rb"\\", b"  ").replace(rb"\"", b"  "), np.uint8)
        inside = np.bitwise_xor.accumulate((characters == ord('"')).view(np.uint8)) ^ is_inside
        is_inside = inside[-1]
        steps = _STEPS[characters]
        found = np.flatnonzero((steps != 9) & (inside == 0))
        if len(found):
            yield start + found, steps[found]
        start += len(piece)


def count(text: bytes, *marks: bytes) -> int:
    """The number of these bytes in the text; `bytes.count` takes five times as long for frequent bytes.

    In pieces, because NumPy makes a mask as large as what it compares.
    """
    characters = np.frombuffer(text, np.uint8)
    pieces = [characters[start : start + _PIECE] for start in range(0, len(characters), _PIECE)]
    return sum(int(np.count_nonzero(piece == ord(mark))) for piece in pieces for mark in marks)
