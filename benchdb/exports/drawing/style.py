"""Colours, fonts and sizes of pictures for the page of a paper, in colour and in grey.

Figures do not use pyplot. The colours are those of Okabe and Ito (2008), which people with any kind of colour vision
can distinguish; every series also has its own marker. https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

import logging
import os

import matplotlib
from django.conf import settings
from matplotlib.path import Path

from benchdb.exports.clean import clean
from benchdb.wording.colours import INK as INK
from benchdb.wording.colours import SERIES as SERIES
from benchdb.wording.colours import VERDICT_COLOURS as VERDICT_COLOURS

# Matplotlib stores its list of fonts in our directory, because a service may have no home directory.
os.environ.setdefault("MPLCONFIGDIR", str(settings.VAR_DIR / "matplotlib"))


logging.getLogger("fontTools").setLevel(logging.WARNING)  # its INFO level logs every step of embedding a font
matplotlib.rcdefaults()  # ignore a matplotlibrc of this machine
matplotlib.rcParams.update(
    {
        "font.family": "DejaVu Sans",  # part of Matplotlib, so that all machines draw alike
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
        "svg.hashsalt": "benchdb",  # makes ids in SVG reproducible
        "pdf.fonttype": 42,  # TrueType: journals refuse Type 3
    }
)

FAINT, RULE = "#5f5f5f", "#c8c8c8"
BLUE, VERMILLION = "#0072B2", "#D55E00"
WIDE = Path([(-1, -0.55), (1, -0.55), (1, 0.55), (-1, 0.55), (-1, -0.55)])
TALL = Path([(-0.55, -1), (0.55, -1), (0.55, 1), (-0.55, 1), (-0.55, -1)])
# No triangles: these are verdicts. Pages have the same marks (web/partials/chart_marks.html, web/templatetags/card.py).
MARKERS: list[str | Path] = ["o", "s", "D", "X", "P", WIDE, TALL]
MAGNITUDE = "cividis"
WIDTH = 7.2  # inches: both columns of a paper
MARGIN = 0.1
LONGEST_LABEL = 34
SMALL = 6.5


def short(text: str, longest: int = LONGEST_LABEL) -> str:
    """The label, cut to `longest` characters."""
    text = clean(text)
    return text if len(text) <= longest else text[: longest - 1] + "…"
