"""Heat maps as areas: one outline for all cells of a colour, a cell one unit wide and high. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby


def colour_areas(classes: Sequence[Sequence[str]]) -> dict[str, str]:
    """For each colour the SVG path around its cells, from top to bottom: `{"m3": "M0 2h1v1h-1z"}`.

    A cell's colour is its first class; a hole (`x`, `f`, nothing) has none.
    """
    paths = defaultdict[str, list[str]](list)
    for i, line in enumerate(reversed(classes)):
        j = 0
        for colour, same in groupby(cell.split(" ", 1)[0] for cell in line):
            length = sum(1 for _ in same)
            if colour[:1] in ("m", "r", "g"):
                paths[colour].append(f"M{j} {i}h{length}v1h-{length}z")
            j += length
    return {colour: "".join(path) for colour, path in paths.items()}
