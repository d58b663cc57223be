"""How pictures look: for a page in a paper, in colour and in grey. Figures are made without pyplot.

The colours are those of Okabe and Ito (2008), which people with any kind of colour vision tell apart; every series has
a marker of its own too. https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

import logging
import os
import textwrap
from dataclasses import dataclass

import matplotlib
from django.conf import settings
from matplotlib.figure import Figure

from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.printing import doubts
from benchdb.exports.printed.text import clean

# Its list of fonts, made once: in our own directory, because a service may have no home to write to.
os.environ.setdefault("MPLCONFIGDIR", str(settings.VAR_DIR / "matplotlib"))


logging.getLogger("fontTools").setLevel(logging.WARNING)  # tells every step of embedding a font
matplotlib.rcdefaults()  # whatever a matplotlibrc of this machine says
matplotlib.rcParams.update(
    {
        "font.family": "DejaVu Sans",  # comes with Matplotlib, so that every machine draws the same
        "font.size": 8,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "grid.color": "#d9d9d9",
        "grid.linewidth": 0.4,
        "text.parse_math": False,  # a dollar sign in a label is a dollar sign
        "svg.fonttype": "path",
        "svg.hashsalt": "benchdb",  # ids in SVG are made of it; without, they differ each time
        "pdf.fonttype": 42,  # TrueType: journals refuse Type 3
    }
)

INK, FAINT, RULE = "#1a1a1a", "#5f5f5f", "#c8c8c8"
BLUE, VERMILLION, GREEN = "#0072B2", "#D55E00", "#009E73"
# Okabe and Ito's eight without their yellow, which does not show on white.
SERIES = ["#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
VERDICTS = {"better": GREEN, "worse": VERMILLION}
MAGNITUDE = "cividis"
WIDTH = 7.2  # inches: both columns of a paper
MARGIN = 0.1
LONGEST_LABEL = 34
SMALL = 6.5


@dataclass
class Sheet:
    """A figure whose height grows from the top; places are in inches from its upper left corner."""

    figure: Figure
    width: float
    height: float

    def axes(self, left: float, top: float, width: float, height: float, **options: object) -> object:
        """Axes at this place."""
        place = (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        return self.figure.add_axes(place, **options)  # type: ignore[call-overload]

    def text(self, left: float, top: float, text: str, **options: object) -> None:
        """Text whose upper left corner is here."""
        place = {"ha": "left", "va": "top", "color": INK, **options}
        self.figure.text(left / self.width, 1 - top / self.height, text, **place)  # type: ignore[arg-type]


def sheet(width: float, height: float) -> Sheet:
    """An empty white sheet."""
    return Sheet(Figure(figsize=(width, height), facecolor="white"), width, height)


def short(text: str, longest: int = LONGEST_LABEL) -> str:
    """A label that fits."""
    text = clean(text)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def wrapped(texts: list[str], width: float, size: float) -> list[str]:
    """Lines of at most `width` inches at this font size (in points)."""
    letters = int(width * 72 / (size * 0.56))
    return [line for text in texts for line in textwrap.wrap(clean(text), letters) or [""]]


def heading(content: Content, width: float) -> tuple[list[str], list[str]]:
    """Title and subtitle in lines."""
    inside = width - 2 * MARGIN
    return wrapped([content["title"]], inside, 11), wrapped([content["subtitle"]], inside, 8)


def footing(texts: list[str], content: Content, origin: Origin, width: float) -> list[str]:
    """What stands at the foot, in lines: the given explanations, version and source."""
    address = origin.address if len(origin.address) < 150 else origin.address.partition("?")[0] + "?…"
    said = [*origin.notices, *doubts(content), *texts, f"{method.versions(content)} {address} {origin.sentence}"]
    return wrapped(said, width - 2 * MARGIN, SMALL)


def height_of(lines: list[str], size: float) -> float:
    """Inches that so many lines of text take."""
    return len(lines) * size * 1.4 / 72


def write_heading(on: Sheet, title: list[str], subtitle: list[str]) -> float:
    """Write title and subtitle. Returns where they end."""
    on.text(MARGIN, MARGIN, "\n".join(title), fontsize=11, fontweight="bold", linespacing=1.2)
    top = MARGIN + height_of(title, 11)
    on.text(MARGIN, top, "\n".join(subtitle), color=FAINT, linespacing=1.2)
    return top + height_of(subtitle, 8) + 0.12


def write_footing(on: Sheet, lines: list[str]) -> None:
    """Write the foot, at the lower edge."""
    on.text(
        MARGIN,
        on.height - MARGIN - height_of(lines, SMALL),
        "\n".join(lines),
        fontsize=SMALL,
        color=FAINT,
        linespacing=1.2,
    )
