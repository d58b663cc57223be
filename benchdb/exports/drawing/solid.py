"""A surface in three dimensions, seen from above its smallest sizes: flat polygons, the farthest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin
from statistics import fmean

from benchdb.compare.surface.averages import SurfaceCells
from benchdb.compare.surface.colours import ColourScale, figure_of
from benchdb.compare.surface.content import SurfaceContent

from .fonts import shorten, text_width
from .heat import Field, shade, shown_scale
from .style import FAINT, HAIR, INK, SMALL, TINY, WHITE
from .svg import MIDDLE, TOP, Drawing, Point

# Seen from the corner of the smallest sizes: records grow to the right, files to the left, both away from the reader.
TURN, TILT = radians(38), radians(26)
TALL = 0.62  # the height of the box whose other sides are 1
MOST_TICKS = 6  # labels of an axis
LABEL, NAME = 4.0, 20.0  # from an edge to the labels of its ticks and to its name
TRIANGLE = 3
FLOOR = "#f7f7f7"


@dataclass(frozen=True, slots=True)
class Projection:
    """A parallel projection of a box with sides 1: its nearest lower corner is at (x, y), a side is `size` long."""

    x: float
    y: float
    size: float

    def at(self, record: float, file: float, up: float) -> Point:
        """The place of a point of the box."""
        right = record * cos(TURN) - file * sin(TURN)
        above = (record * sin(TURN) + file * cos(TURN)) * sin(TILT) + up * TALL * cos(TILT)
        return self.x + self.size * right, self.y - self.size * above


def draw_solid(
    drawing: Drawing, field: Field, content: SurfaceContent, grid: SurfaceCells, scale: ColourScale | None, unit: str
) -> None:
    """The surface with open holes in this field. Heights are linear from 0, so that they compare like numbers."""
    left, top, width, height = field
    wide = cos(TURN) + sin(TURN)
    size = min(width / wide, height / (wide * sin(TILT) + TALL * cos(TILT)))
    view = Projection(left + (width - size * wide) / 2 + size * sin(TURN), top + height, size)
    highest = scale.high if scale and scale.high > 0 else 1.0
    up = shown_scale(content, 0, highest, logarithmic=False)
    levels = [(up.share(tick.value), tick.text) for tick in up.ticks]
    files, records = (list(_ticks(labels)) for labels in (content.file_labels, content.record_labels))
    _draw_box(drawing, view, [at for at, _ in files], [at for at, _ in records], [at for at, _ in levels])
    figures = [[None if cell is None else figure_of(cell, content) for cell in line] for line in grid]
    _draw_polygons(drawing, view, figures, scale, highest)
    for (x, y), text, anchor, drop in (
        *((view.at(at, 0, 0), text, "start", TOP) for at, text in records),
        *((view.at(0, at, 0), text, "end", TOP) for at, text in files),
        *((view.at(0, 1, at), text, "end", MIDDLE) for at, text in levels),
    ):
        aside, below = LABEL if anchor == "start" else -LABEL, LABEL if drop == TOP else 0.0
        drawing.text(x + aside, y + below, text, TINY, FAINT, anchor=anchor, drop=drop)
    beside = max((text_width(text, TINY) for _, text in levels), default=0.0) + 2 * LABEL
    for (x, y), aside, below, name, turn in (
        (view.at(0.5, 0, 0), NAME, NAME, "record size", -degrees(atan2(sin(TURN) * sin(TILT), cos(TURN)))),
        (view.at(0, 0.5, 0), -NAME, NAME, "file size", degrees(atan2(cos(TURN) * sin(TILT), sin(TURN)))),
        (view.at(0, 1, 0.5), -beside, 0.0, shorten(unit, height, SMALL), -90.0),
    ):
        drawing.text(x + aside, y + below, name, SMALL, FAINT, anchor="middle", turn=turn)


def _ticks(labels: Sequence[str]) -> Iterator[tuple[float, str]]:
    """Some of the sizes, each with its place as a share of the axis."""
    for i in range(0, len(labels), -(-len(labels) // MOST_TICKS)):
        yield _share(i, len(labels)), labels[i]


def _share(i: int, count: int) -> float:
    return i / max(count - 1, 1)


def _draw_box(
    drawing: Drawing, view: Projection, files: Sequence[float], records: Sequence[float], levels: Sequence[float]
) -> None:
    """The floor and the two walls behind the surface, with a rule at each tick, and the three axes."""
    at = view.at
    for corners in (
        [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)],
        [at(0, 1, 0), at(1, 1, 0), at(1, 1, 1), at(0, 1, 1)],
        [at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)],
    ):
        drawing.polygon(corners, FLOOR, HAIR, 0.4)
    rules = [
        *([at(record, 0, 0), at(record, 1, 0), at(record, 1, 1)] for record in records),
        *([at(0, file, 0), at(1, file, 0), at(1, file, 1)] for file in files),
        *([at(0, 1, level), at(1, 1, level), at(1, 0, level)] for level in levels),
    ]
    for rule in rules:
        drawing.line(rule, HAIR, 0.4)
    drawing.line([at(0, 1, 1), at(0, 1, 0), at(0, 0, 0), at(1, 0, 0)], INK, 0.6)


def _draw_polygons(
    drawing: Drawing,
    view: Projection,
    figures: Sequence[Sequence[float | None]],
    scale: ColourScale | None,
    highest: float,
) -> None:
    """A polygon between each four neighbours, a triangle where one is missing; the farthest is drawn first."""
    for i in reversed(range(len(figures) - 1)):
        for j in reversed(range(len(figures[i]) - 1)):
            around = ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j))
            known = [(file, record, height) for file, record in around if (height := figures[file][record]) is not None]
            if len(known) >= TRIANGLE:
                corners = [
                    view.at(_share(record, len(figures[i])), _share(file, len(figures)), height / highest)
                    for file, record, height in known
                ]
                drawing.polygon(corners, shade(scale, fmean(height for *_, height in known)), WHITE, 0.25)
