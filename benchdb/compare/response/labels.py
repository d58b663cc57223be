"""Where the labels of points are written, so that none covers another or a mark. Pure functions.

Places are estimated for a phone; a wider picture has more room than that. Pixels from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

LETTER, LINE = 6.5, 13  # pixels: the width of a letter and the height of a line
MARK = 5  # pixels from the middle of a mark to its edge


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two have a common part."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class Wanted(NamedTuple):
    """A label for the point at x, y."""

    x: float
    y: float
    text: str


class Offset(NamedTuple):
    """The place of a label beside its point; `anchor` is start, middle or end."""

    dx: float
    dy: float
    anchor: str


# Below right, above left, below left, above, right: a curve of latency over throughput rises to the right.
OFFSETS = (
    Offset(7, 14, "start"),
    Offset(-7, -6, "end"),
    Offset(-7, 14, "end"),
    Offset(7, -6, "start"),
    Offset(0, -10, "middle"),
    Offset(10, 4, "start"),
)


def placed(
    labels: Sequence[Wanted], marks: Iterable[tuple[float, float]], width: float, height: float
) -> list[Offset | None]:
    """The offset of each label, the important ones first; None for a label without a free place."""
    taken = [Box(x - MARK, y - MARK, x + MARK, y + MARK) for x, y in marks]
    found: list[Offset | None] = []
    for label in labels:
        free = next((each for each in OFFSETS if _is_free(_box(label, each), taken, width, height)), None)
        found.append(free)
        if free is not None:
            taken.append(_box(label, free))
    return found


def _is_free(box: Box, taken: Iterable[Box], width: float, height: float) -> bool:
    inside = box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height
    return inside and not any(box.overlaps(other) for other in taken)


def _box(label: Wanted, offset: Offset) -> Box:
    length = LETTER * len(label.text)
    left = label.x + offset.dx - {"start": 0.0, "middle": length / 2, "end": length}[offset.anchor]
    bottom = label.y + offset.dy + 2
    return Box(left, bottom - LINE, left + length, bottom)
