"""A field with an axis to the right and one upwards, and the ticks and plain labels of pages: never powers of ten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians, sin

from benchdb.compare.table.charts.scale import Scale
from benchdb.wording.axes import Tick

from .fonts import shorten, text_width
from .style import FAINT, INK, RULE, SIZE, SMALL
from .svg import LINE, MIDDLE, TOP, Drawing

TURN = 40.0  # degrees of labels that have no room otherwise
GAP, HEAD = 3.0, 4.0  # from a field to the labels of its ticks; length and width of an arrow's head
# A page places what leaves its field on the edge of the field. Scales that end just inside find it.
INSIDE = 1e-3


@dataclass(frozen=True, slots=True)
class Plot:
    """A field of a drawing with its upper left corner and its size in points."""

    drawing: Drawing
    left: float
    top: float
    width: float
    height: float
    across: Scale
    up: Scale

    def x(self, figure: float) -> float:
        """The place of a figure of the horizontal axis."""
        return self.left + self.width * self.across.share(figure)

    def y(self, figure: float) -> float:
        """The place of a figure of the vertical axis."""
        return self.top + self.height * (1 - self.up.share(figure))

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    def rule_across(self, *, size: float = SMALL, turned: bool = False, rules: bool = True) -> float:
        """The ticks of the horizontal axis with labels below, of one or more lines; returns the foot of the lowest."""
        top = foot = self.bottom + GAP
        for tick in self.across.ticks:
            x = self.x(tick.value)
            if rules:
                self.drawing.line([(x, self.top), (x, self.bottom)], RULE, 0.4)
            for i, text in enumerate(tick.text.split("\n")):
                y = top + i * LINE * size
                if turned:
                    self.drawing.text(x, y, text, size, FAINT, anchor="end", drop=TOP, turn=-TURN)
                else:
                    self.drawing.text(x, y, text, size, FAINT, anchor="middle", drop=TOP)
                rise = text_width(text, size) * sin(radians(TURN)) if turned else 0.0
                foot = max(foot, y + TOP * size + rise)
        return foot

    def rule_up(self, *, size: float = SMALL, rules: bool = True) -> float:
        """The ticks of the vertical axis with labels on the left; returns the beginning of the longest."""
        for tick in self.up.ticks:
            y = self.y(tick.value)
            if rules:
                self.drawing.line([(self.left, y), (self.left + self.width, y)], RULE, 0.4)
            self.drawing.text(self.left - GAP, y, tick.text, size, FAINT, anchor="end", drop=MIDDLE)
        return self.left - GAP - max((text_width(tick.text, size) for tick in self.up.ticks), default=0.0)

    def edge(self, *, left: bool = True, bottom: bool = True) -> None:
        """The axes themselves."""
        corner, right = (self.left, self.bottom), (self.left + self.width, self.bottom)
        points = [*([(self.left, self.top)] if left else []), corner, *([right] if bottom else [])]
        self.drawing.line(points, INK, 0.6)

    def title(self, text: str, tail: str = "", *, room: float = 0.0, above: float = 7.0) -> None:
        """A bold line above the field, which may be wider than the field if it has more `room`; only `text` is cut."""
        fitting = shorten(text, max(room, self.width), SIZE, bold=True, tail=tail)
        self.drawing.text(self.left, self.top - above, fitting, bold=True)

    def name_across(self, foot: float, text: str, tail: str = "") -> None:
        """What the horizontal axis shows, below the labels of its ticks."""
        middle, fitting = self.left + self.width / 2, shorten(text, self.width, SMALL, tail=tail)
        self.drawing.text(middle, foot + 4, fitting, SMALL, FAINT, anchor="middle", drop=TOP)

    def name_up(self, beginning: float, text: str, tail: str = "") -> None:
        """What the vertical axis shows, on the left of the labels of its ticks."""
        middle, fitting = self.top + self.height / 2, shorten(text, self.height, SMALL, tail=tail)
        self.drawing.text(beginning - 4, middle, fitting, SMALL, FAINT, anchor="middle", turn=-90)

    def interval(
        self, low: float, high: float, at: float, colour: str, width: float = 1.1, *, upright: bool = False
    ) -> None:
        """A line from one figure to another at this height, or upright at this x in points.

        An end outside the field is an arrow at its edge.
        """
        scale, place = (self.up, self.y) if upright else (self.across, self.x)
        ends = [(at, place(end)) if upright else (place(end), at) for end in (low, high)]
        self.drawing.line(ends, colour, width)
        for end, (x, y) in zip((low, high), ends, strict=True):
            if out := HEAD * ((end > scale.high) - (end < scale.low)):
                back = [(aside, out) if upright else (-out, aside) for aside in (-HEAD / 2, HEAD / 2)]
                self.drawing.polygon([(x, y), *((x + dx, y + dy) for dx, dy in back)], colour)


def plain_scale(low: float, high: float, ticks: Sequence[Tick] = ()) -> Scale:
    """A linear scale with these ticks."""
    return Scale(low, high, logarithmic=False, ticks=list(ticks))
