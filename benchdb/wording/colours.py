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
VERDICT_COLOURS = {"better": "#006b4e", "worse": "#a63c00"}  # --better and --worse in _tokens.scss
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
