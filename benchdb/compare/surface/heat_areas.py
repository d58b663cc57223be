"""A heat map of a fine surface: an area a colour. Pure functions.

A cell is one unit wide and high in a drawing as wide and high as there are cells, which the page stretches; what is
written beside it stands at a share of its height or width, in per cent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from benchdb.compare.content import Context


def heat_areas(
    classes: Sequence[Sequence[str]],
    files: Sequence[str],
    records: Sequence[str],
    file_ends: Mapping[int, str],
    record_ends: Mapping[int, str],
) -> Context:
    """The context of web/partials/heat_areas.html; `classes` has a row a file size, the smallest first.

    `file_ends` and `record_ends` say what ends just before a size, by its index.
    """
    height, width = len(files), len(records)
    return {
        "height": height,
        "width": width,
        "areas": [{"colour": colour, "path": path} for colour, path in sorted(colour_areas(classes).items())],
        "edges": "".join([f"M0 {height - i}h{width}" for i in file_ends] + [f"M{j} 0v{height}" for j in record_ends]),
        "files": _beside({height - i - 0.5: text for i, text in enumerate(files)}, height),
        "records": _beside({j + 0.5: text for j, text in enumerate(records)}, width),
        "file_ends": _beside({height - i: text for i, text in file_ends.items()}, height),
        "record_ends": _beside(record_ends, width),
    }


def _beside(texts: Mapping[Any, str], whole: int) -> list[Context]:
    """What is written at a side of `whole` cells, by the cells before it."""
    return [{"at": f"{100 * at / whole:.4g}", "text": text} for at, text in texts.items() if text]


def colour_areas(classes: Sequence[Sequence[str]]) -> dict[str, str]:
    """For each colour the SVG path round its cells, from top to bottom: `{"m3": "M0 2h1v1h-1z"}`.

    A cell's colour is its first class; a hole (`x`, `f`, nothing) has none.
    """
    found = defaultdict[str, list[str]](list)
    for i, line in enumerate(reversed(classes)):
        j = 0
        for colour, same in groupby(each.split(" ", 1)[0] for each in line):
            length = sum(1 for _ in same)
            if colour[:1] in ("m", "r", "g"):
                found[colour].append(f"M{j} {i}h{length}v1h-{length}z")
            j += length
    return {colour: "".join(path) for colour, path in found.items()}
