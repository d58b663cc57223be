"""An SVG document of a few kinds of shapes. Lengths are points, counted from the upper left corner.

ElementTree escapes every text. Nothing in it depends on time, place or chance, so the same calls give the same bytes.
Text stays text: the file is smaller than with outlines, can be searched, read aloud and edited, and has the same place
with Verdana, whose widths DejaVu Sans has, if a reader's system lacks that.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from benchdb.wording.clean import clean

from .fonts import FAMILY
from .style import INK, MARKERS, SIZE, WHITE

Point = tuple[float, float]
Attributes = dict[str, str | float]
SVG = "http://www.w3.org/2000/svg"
# Of a font's size: from the top and the middle of its capitals and digits to their foot; from a line to the next.
TOP, MIDDLE, LINE = 0.76, 0.36, 1.35


class Drawing:
    """A white document of `width` × `height` points; `title` is its name for people who cannot see it."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height = width, height
        wide, high = _number(width), _number(height)
        size = {"width": f"{wide}pt", "height": f"{high}pt", "viewBox": f"0 0 {wide} {high}"}
        style = {"font-family": f"{FAMILY}, Verdana, sans-serif", "stroke-linejoin": "round"}
        self.root = Element("svg", {"xmlns": SVG, **size, "role": "img", **style})
        SubElement(self.root, "title").text = clean(title)
        self.rectangle(0, 0, width, height, WHITE)

    def line(
        self, points: Sequence[Point], colour: str, width: float = 1.0, *, dashes: str = "", cap: str = ""
    ) -> None:
        """A line through these points; `cap` may be `round`."""
        style = {"stroke": colour, "stroke-dasharray": dashes, "stroke-linecap": cap}
        self._add("path", {"d": _path(points), "fill": "none", "stroke-width": width, **style})

    def polygon(self, points: Sequence[Point], fill: str, edge: str = "", width: float = 0.0) -> None:
        """The area between these points."""
        style = {"stroke": edge, "stroke-width": width if edge else ""}
        self._add("path", {"d": f"{_path(points)}Z", "fill": fill, **style})

    def rectangle(self, left: float, top: float, width: float, height: float, fill: str) -> None:
        """A rectangle with this upper left corner."""
        right, bottom = left + width, top + height
        self.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], fill)

    def circle(self, x: float, y: float, radius: float, fill: str, edge: str, width: float = 1.0) -> None:
        """A circle around this point; `fill` may be `none`."""
        self._add("circle", {"cx": x, "cy": y, "r": radius, "fill": fill, "stroke": edge, "stroke-width": width})

    def marker(self, number: int, x: float, y: float, size: float, colour: str, *, filled: bool = True) -> None:
        """The mark of a series, 1 to 7, at this point, about `size` wide."""
        outline, radius, fill = MARKERS[number - 1], size / 2, colour if filled else WHITE
        if outline:
            self.polygon([(x + radius * dx, y + radius * dy) for dx, dy in outline], fill, colour, 1)
        else:
            self.circle(x, y, radius, fill, colour)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = SIZE,
        colour: str = INK,
        *,
        anchor: str = "start",
        drop: float = 0.0,
        bold: bool = False,
        turn: float = 0.0,
    ) -> None:
        """One line of text that begins, has its middle or ends at this point, turned by `turn` degrees around it.

        `y` is that of its foot; with `drop` TOP or MIDDLE that of its top or middle.
        """
        move = f"rotate({_number(turn)} {_number(x)} {_number(y)})" if turn else ""
        style = {"text-anchor": "" if anchor == "start" else anchor, "font-weight": "bold" if bold else ""}
        placed: Attributes = {"x": x, "y": y + drop * size, "font-size": size, "fill": colour, **style}
        self._add("text", placed | {"transform": move}).text = clean(text)

    def texts(self, x: float, y: float, lines: Sequence[str], size: float, colour: str, *, bold: bool = False) -> None:
        """Lines below each other; `y` is the top of the first."""
        for i, line in enumerate(lines):
            self.text(x, y + i * LINE * size, line, size, colour, drop=TOP, bold=bold)

    def source(self) -> str:
        """The document."""
        return ElementTree.tostring(self.root, encoding="unicode")

    def _add(self, name: str, attributes: Attributes) -> Element:
        """A shape with these attributes, without the empty ones."""
        texts = {key: value if isinstance(value, str) else _number(value) for key, value in attributes.items()}
        return SubElement(self.root, name, {key: text for key, text in texts.items() if text})


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """With two decimals at most, a hundredth of a point: `12.5`."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
