"""The colour of each series: a file system has its own on all pages and exported pictures.

A colour is a number from 1 to 7: `--series-N` in frontend/styles/_tokens.scss, the place in `SERIES` for pictures, and
the marker at that place in `benchdb.exports.drawing.style`. Modules of `benchagent.filesystems` declare those of file
systems; if a chart has two of one colour, the first by rank keeps it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchagent.filesystems import named

INK = "#1a1a1a"
# Okabe and Ito's eight without yellow, which is invisible on white, the light ones darker.
SERIES = ("#0072B2", "#D55E00", "#009E73", "#C0689A", "#B37B00", "#3A93C6", INK)
VERDICT_COLOURS = {"better": "#0b5394", "worse": "#a63c00"}  # --better and --worse in _tokens.scss
# The scales of frontend/styles/_scales.scss, from the smallest figure to the largest.
MAGNITUDES = (
    "#00204c", "#00255a", "#002b67", "#00306b", "#08366e", "#1d3c6d", "#2d426c", "#39486b", "#424e6b", "#4b546b",
    "#535a6c", "#5b5f6d", "#63656f", "#6a6b71", "#717173", "#787876", "#807e77", "#888578", "#908b78", "#989177",
    "#a19876", "#a99f74", "#b1a672", "#baac6f", "#c3b36c", "#ccbb68", "#d5c263", "#dec95e", "#e7d157", "#f1da50",
    "#f8e14a", "#ffe945",
)  # fmt: skip
# From worse to better.
RATIOS = (
    "#8c3a00", "#9d4a0c", "#ae5a18", "#be6a24", "#cf7a30", "#e08a3c", "#e69e5c", "#ebb27b", "#f0c59b", "#f6d9bb",
    "#f5f4f1", "#c7dcec", "#a9cae3", "#8bb8da", "#6da7d2", "#4f95c9", "#4186bb", "#3477ad", "#26689e", "#195990",
    "#0b4a82",
)  # fmt: skip
MOST_COLOURS = 7  # that people can tell apart; with more series all have the first


def colours(labels: Sequence[str]) -> list[int]:
    """The colour of each series from 1 to 7, different for different labels; all 1 if there are more than seven.

    A label that is a file system, or begins with one that no other label begins with, has the colour of the file
    system. The others take the colours that are left, in order.
    """
    different = list(dict.fromkeys(labels))
    if len(different) > MOST_COLOURS:
        return [1] * len(labels)
    taken: dict[int, str] = {}
    for (colour, _), label in sorted(_at_home(different)):
        taken.setdefault(colour, label)
    of_label = {label: colour for colour, label in taken.items()}
    free = iter(colour for colour in range(1, MOST_COLOURS + 1) if colour not in taken)
    for label in different:
        if label not in of_label:
            of_label[label] = next(free)
    return [of_label[label] for label in labels]


def _at_home(labels: Sequence[str]) -> list[tuple[tuple[int, int], str]]:
    """Colour, rank and label of each label with a file system of its own."""
    names = [_file_system(label) for label in labels]
    count = Counter(names)
    homes = [(named(name).colour, label) for name, label in zip(names, labels, strict=True) if count[name] == 1]
    return [(colour, label) for colour, label in homes if colour]


def _file_system(label: str) -> str:
    """The first word: `xfs` of `xfs, noatime`."""
    words = label.replace(",", " ").split()
    return words[0].lower() if words else ""
