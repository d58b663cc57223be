"""The font of pictures and the widths of texts in it.

DejaVu Sans is part of this package, so that all machines draw alike and no font of the system is read.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate
from pathlib import Path
from struct import unpack_from

import numpy as np

from benchdb.exports.clean import clean

FAMILY = "DejaVu Sans"
_FOLDER = Path(__file__).resolve().parent.parent / "fonts"
REGULAR, BOLD = (_FOLDER / name for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
FORMAT_12 = 12  # of the table `cmap`: segments of characters whose glyphs are in order


@cache
def _advances(bold: bool) -> dict[int, float]:
    """The width of each character of the font as a share of its size; under -1 that of a character it lacks.

    Tables and fields: https://learn.microsoft.com/typography/opentype/spec/otff
    """
    data = (BOLD if bold else REGULAR).read_bytes()
    entries = [unpack_from(">4s4xL", data, 12 + 16 * i) for i in range(unpack_from(">H", data, 4)[0])]
    at = {name.decode(): offset for name, offset in entries}
    (units,) = unpack_from(">H", data, at["head"] + 18)
    (count,) = unpack_from(">H", data, at["hhea"] + 34)
    widths = np.frombuffer(data, ">u2", 2 * count, at["hmtx"])[::2] / units
    subtables = [
        unpack_from(">L", data, at["cmap"] + 8 + 8 * i)[0] for i in range(unpack_from(">H", data, at["cmap"] + 2)[0])
    ]
    start = next(at["cmap"] + sub for sub in subtables if unpack_from(">H", data, at["cmap"] + sub)[0] == FORMAT_12)
    segments = np.frombuffer(data, ">u4", 3 * unpack_from(">L", data, start + 12)[0], start + 16).reshape(-1, 3)
    glyphs = {char: glyph + char - first for first, last, glyph in segments.tolist() for char in range(first, last + 1)}
    return {-1: float(widths[0])} | {char: float(widths[min(glyph, count - 1)]) for char, glyph in glyphs.items()}


def _ends(text: str, size: float, bold: bool) -> list[float]:
    """Where each character ends, in points from the beginning."""
    widths = _advances(bold)
    return [size * end for end in accumulate(widths.get(ord(char), widths[-1]) for char in text)]


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in points; `size` is that of the font."""
    return next(reversed(_ends(text, size, bold)), 0.0)


def shorten(text: str, room: float, size: float, *, bold: bool = False, tail: str = "") -> str:
    """The text and its `tail` in one line of at most `room` points; only the text is cut."""
    text = clean(text)
    room -= text_width(tail, size, bold=bold)
    ends = _ends(text, size, bold)
    if ends and ends[-1] > room:
        text = text[: bisect_right(ends, room - text_width("…", size, bold=bold))].rstrip() + "…"
    return text + tail


def wrap(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines of at most `room` points; a word that is too long is broken."""
    lines = [""]
    for word in clean(text).split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size, bold=bold) <= room:
            lines[-1] = longer
            continue
        rest = word
        while (ends := _ends(rest, size, bold)) and ends[-1] > room:
            cut = max(1, bisect_right(ends, room))
            lines.append(rest[:cut])
            rest = rest[cut:]
        lines.append(rest)
    return [line for line in lines if line] or [""]
