"""The font of pictures and the widths of texts in it, which ReportLab reads from its files.

DejaVu Sans is part of this package, so that all machines draw alike and no font of the system is read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import getFont, registerFont
from reportlab.pdfbase.ttfonts import TTFont

from benchdb.wording.clean import clean

FAMILY = "DejaVu Sans"
BOLD_FAMILY = f"{FAMILY} Bold"  # its name in ReportLab
FILES = [str(Path(__file__).parents[1] / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
for name, file in zip((FAMILY, BOLD_FAMILY), FILES, strict=True):
    registerFont(TTFont(name, file))


def _ends(text: str, size: float, bold: bool) -> list[float]:
    """Where each character ends, in points from the beginning."""
    face = getFont(BOLD_FAMILY if bold else FAMILY).face
    widths = accumulate(face.charWidths.get(ord(char), face.defaultWidth) for char in text)
    return [size / 1000 * end for end in widths]


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in points; `size` is that of the font."""
    return next(reversed(_ends(text, size, bold)), 0.0)


def _one_space(text: str) -> str:
    """A clean text without several spaces in a row, which SVG draws as one and PDF as several."""
    return re.sub(" +", " ", clean(text))


def shorten(text: str, room: float, size: float, *, bold: bool = False, tail: str = "") -> str:
    """The text and its `tail` in one line of at most `room` points; only the text is cut."""
    text = _one_space(text)
    room -= text_width(tail, size, bold=bold)
    if text_width(text, size, bold=bold) > room:
        whole = bisect_right(_ends(text, size, bold), room - text_width("…", size, bold=bold))
        text = text[:whole].rstrip() + "…"
    return text + tail


def wrap(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines of at most `room` points; a word that is too long is broken."""
    lines = [""]
    for word in _one_space(text).split(" "):
        lines.append(f"{lines.pop()} {word}".strip(" "))
        if text_width(lines[-1], size, bold=bold) > room:
            lines[-1:] = [lines[-1].removesuffix(word).rstrip(" "), word]
        while (ends := _ends(lines[-1], size, bold)) and ends[-1] > room:
            cut = max(1, bisect_right(ends, room))
            lines[-1:] = [lines[-1][:cut], lines[-1][cut:]]
    return [line for line in lines if line] or [""]
