"""Small heat maps of a run, one for each test, all on one scale. Pure functions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, log
from typing import Any

import numpy as np

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.colour_areas import colour_areas
from benchdb.runs.cells.links import surface_href
from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS, Unit, default_unit
from benchdb.wording.words import metric_label

from .outline import Outline

COLOURS = 32  # of the scale of magnitudes (styles/_scales.scss)
MOST_SIZES = 24  # on an axis; of more, every second, third, … is drawn
MOST_MAPS = 16
LOGARITHMIC = 30  # largest ÷ smallest figure from which on the scale is logarithmic


@dataclass(frozen=True)
class _ColourScale:
    """The colours of figures between `low` and `high`."""

    low: float
    high: float

    @property
    def logarithmic(self) -> bool:
        return self.low > 0 and self.high / self.low > LOGARITHMIC

    def colour(self, value: float) -> str:
        """The class of a figure: `m0` to `m31`."""
        if self.high == self.low:
            return f"m{COLOURS - 1}"
        if self.logarithmic:
            share = log(value / self.low) / log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return f"m{min(COLOURS - 1, int(share * COLOURS))}"


def heat_maps(
    run_id: str,
    metric: str,
    outline: Outline,
    surfaces: Mapping[tuple[str, str], IntArray],
    memory: int | None,
) -> dict[str, object] | None:
    """The maps of the tests with a surface in this metric; None if there is none. `memory` is in bytes.

    `surfaces` are the places of results in the outline, by test and metric.
    """
    by_test = {test: places for (test, of), places in surfaces.items() if of == metric}
    every = np.concatenate([*by_test.values(), np.zeros(0, dtype=np.int64)])
    means = outline.means[every][outline.means[every] > 0]
    if not means.size:
        return None
    scale, unit = _ColourScale(float(means.min()), float(means.max())), UNITS[default_unit(metric)]
    sizes = [outline.column(name) for name in ("file_size", "record_size")]
    (files, file_step), (records, record_step) = (
        _drawn({column.values[code] for code in np.unique(column.codes[every])}) for column in sizes
    )
    at_file, at_record = (  # -1 for sizes that are not drawn
        np.array([drawn.index(size) if size in drawn else -1 for size in column.values], dtype=np.int64)[column.codes]
        for column, drawn in zip(sizes, (files, records), strict=True)
    )
    above = bisect_right(files, memory) if memory else 0
    shown = list(by_test.items())[:MOST_MAPS]

    # The heat maps of runs/picture.html: file sizes grow upwards over `height` cells, record sizes over `width`.
    # `memory` is the height at which files begin to be larger than memory, None if no such line is inside the maps.
    # `every` is the step between drawn sizes if not all are. `left_out` is the number of tests without a map.
    return {
        "metric": metric_label(metric),
        "maps": [
            # The map of a test: `href` is its surface, `areas` are in units of a cell.
            {
                "test": test_label(test),
                "href": surface_href(run_id, test, metric),
                "areas": _areas(outline.means[own], at_file[own], at_record[own], (len(files), len(records)), scale),
                "label": _label(outline.means[own], unit),
            }
            for test, own in shown
        ],
        "width": len(records),
        "height": len(files),
        "files": f"{say_size(files[0])} to {say_size(files[-1])}",
        "records": f"{say_size(records[0])} to {say_size(records[-1])}",
        "ticks": [f"{_say(end, unit)} {unit.name}" for end in (scale.low, scale.high)],
        "logarithmic": scale.logarithmic,
        "memory": len(files) - above if 0 < above < len(files) else None,
        "memory_size": say_size(memory) if memory else "",
        "every": max(file_step, record_step),
        "left_out": len(by_test) - len(shown),
    }


def _drawn(sizes: set[Any]) -> tuple[list[int], int]:
    """The sizes of an axis in ascending order with the largest among them, and the step between those drawn."""
    ordered = sorted(size for size in sizes if size is not None)
    step = ceil(len(ordered) / MOST_SIZES)
    return ordered[::-1][::step][::-1], step


def _areas(
    means: FloatArray, file_at: IntArray, record_at: IntArray, shape: tuple[int, int], scale: _ColourScale
) -> list[dict[str, object]]:
    """The areas of results with these means at these files and records of a map; -1 is outside."""
    height, width = shape
    classes = [[""] * width for _ in range(height)]
    drawn = (file_at >= 0) & (record_at >= 0) & (means != 0)
    for file, record, mean in zip(file_at[drawn], record_at[drawn], means[drawn].tolist(), strict=True):
        classes[file][record] = scale.colour(mean)
    return [{"colour": colour, "path": path} for colour, path in sorted(colour_areas(classes).items())]


def _label(means: FloatArray, unit: Unit) -> str:
    """`693.6 to 6 713 MiB/s`."""
    known = means[means != 0]
    if not known.size:
        return "no figure"
    return f"{_say(float(known.min()), unit)} to {_say(float(known.max()), unit)} {unit.name}"


def _say(value: float, unit: Unit) -> str:
    return say_mean_and_sd(value, None, 1, unit)["mean"]
