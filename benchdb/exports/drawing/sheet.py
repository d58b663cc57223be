"""A sheet with title, subtitle and foot, and room for a drawing between them."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchdb.exports.clean import clean
from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.compose import doubts

from .style import FAINT, INK, MARGIN, SMALL

TITLE_SIZE, SUBTITLE_SIZE = 11, 8  # points
GAP = 0.12  # inches between the subtitle and the drawing
LONGEST_ADDRESS = 150


@dataclass
class Sheet:
    """A figure that is measured in inches from its upper left corner. The drawing begins at `top`."""

    figure: Figure
    width: float
    height: float
    top: float

    def axes(self, left: float, top: float, width: float, height: float, projection: str | None = None) -> Axes:
        """Axes with this upper left corner and this size."""
        box = (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        return self.figure.add_axes(box, projection=projection)

    def text(self, left: float, top: float, text: str, **options: object) -> None:
        """Text with this upper left corner."""
        style = {"ha": "left", "va": "top", "color": INK, **options}
        self.figure.text(left / self.width, 1 - top / self.height, text, **style)  # type: ignore[arg-type]


def lay_out(content: Content, origin: Origin, explanations: list[str], *, width: float, height: float) -> Sheet:
    """A white sheet with its title, subtitle and foot, and room for a drawing.

    `width` and `height` are those of the drawing in inches. `explanations` of marks begin the foot; version and source
    follow.
    """
    inside = width - 2 * MARGIN
    title = _wrapped([content.title], inside, TITLE_SIZE)
    subtitle = _wrapped([content.subtitle], inside, SUBTITLE_SIZE)
    foot = _wrapped(_foot(content, origin, explanations), inside, SMALL)
    subtitle_top = MARGIN + _height_of(title, TITLE_SIZE)
    top = subtitle_top + _height_of(subtitle, SUBTITLE_SIZE) + GAP
    whole = top + height + _height_of(foot, SMALL) + 2 * MARGIN
    sheet = Sheet(Figure(figsize=(width, whole), facecolor="white"), width, whole, top)
    sheet.text(MARGIN, MARGIN, "\n".join(title), fontsize=TITLE_SIZE, fontweight="bold", linespacing=1.2)
    sheet.text(MARGIN, subtitle_top, "\n".join(subtitle), color=FAINT, linespacing=1.2)
    foot_top = whole - MARGIN - _height_of(foot, SMALL)
    sheet.text(MARGIN, foot_top, "\n".join(foot), fontsize=SMALL, color=FAINT, linespacing=1.2)
    return sheet


def _foot(content: Content, origin: Origin, explanations: list[str]) -> list[str]:
    address = origin.address if len(origin.address) < LONGEST_ADDRESS else origin.address.partition("?")[0] + "?…"
    source = f"{method.versions(content)} {address} {origin.sentence}"
    return [*origin.notices, *doubts(content), *explanations, source]


def _wrapped(texts: list[str], width: float, size: float) -> list[str]:
    """Lines of at most `width` inches at this font size (in points)."""
    letters = int(width * 72 / (size * 0.56))
    return [line for text in texts for line in textwrap.wrap(clean(text), letters) or [""]]


def _height_of(lines: list[str], size: float) -> float:
    """Inches that these lines of text take at this font size (in points)."""
    return len(lines) * size * 1.4 / 72
