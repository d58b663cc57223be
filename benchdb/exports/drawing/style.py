"""Colours and sizes of pictures for the page of a paper, in colour and in grey. All lengths are points.

The colours are those of Okabe and Ito (2008), which people with any kind of colour vision can distinguish; every series
also has its own marker. https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

from benchdb.wording.colours import INK as INK
from benchdb.wording.colours import SERIES as SERIES
from benchdb.wording.colours import VERDICT_COLOURS as VERDICT_COLOURS

FAINT, RULE, HAIR = "#5f5f5f", "#d4d4d4", "#e6e6e6"
VERMILLION = "#D55E00"
WHITE = "#ffffff"
# Outlines in a square from −1 to 1; none for a circle. No triangles: these are verdicts. Pages have the same marks
# (web/partials/chart_marks.html, web/templatetags/answer.py).
_CROSS = (
    *((-0.33, -1), (0.33, -1), (0.33, -0.33), (1, -0.33), (1, 0.33), (0.33, 0.33)),
    *((0.33, 1), (-0.33, 1), (-0.33, 0.33), (-1, 0.33), (-1, -0.33), (-0.33, -0.33)),
)
MARKERS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    tuple(((x - y) * 0.8, (x + y) * 0.8) for x, y in _CROSS),
    _CROSS,
    ((-1.1, -0.6), (1.1, -0.6), (1.1, 0.6), (-1.1, 0.6)),
    ((-0.6, -1.1), (0.6, -1.1), (0.6, 1.1), (-0.6, 1.1)),
)
INCH = 72.0
WIDTH = 7.2 * INCH  # both columns of a paper
MARGIN = 7.2
SIZE, SMALL, TINY = 8.0, 6.5, 5.5  # of fonts


def mix(colour: str, share: float, other: str = WHITE) -> str:
    """`share` of one colour and the rest of another: `#rrggbb`. Pictures have no opacity, so that every program and
    printer shows the same."""
    parts = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(one * share + two * (1 - share)):02x}" for one, two in parts)


def interpolate(colours: tuple[str, ...], share: float) -> str:
    """The colour at this place, 0 to 1, of a scale of colours at equal distances."""
    place = share * (len(colours) - 1)
    i = min(int(place), len(colours) - 2)
    return mix(colours[i + 1], place - i, colours[i])
