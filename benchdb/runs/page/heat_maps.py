"""Small heat maps of a run, one for each test, all on one scale. Pure functions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.colour_areas import ColourArea, colour_areas
from benchdb.runs.cells.grids import grids
from benchdb.runs.cells.links import surface_href
from benchdb.wording.numbers import say_mean_and_sd
from benchdb.wording.sizes import say_size
from benchdb.wording.units import UNITS, Unit, default_unit
from benchdb.wording.words import metric_label

from .outline import ResultOutline

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
    run_id: str, metric: str, outline: Sequence[ResultOutline], memory: int | None
) -> dict[str, object] | None:
    """The maps of the tests with a surface in this metric; None if there is none. `memory` is in bytes."""
    by_test = {test: rows for (test, _), rows in grids([row for row in outline if row.metric == metric]).items()}
    means = [row.mean for rows in by_test.values() for row in rows if row.mean is not None and row.mean > 0]
    if not means:
        return None
    scale, unit = _ColourScale(min(means), max(means)), UNITS[default_unit(metric)]
    files, file_step = _drawn({row.file_size for rows in by_test.values() for row in rows})
    records, record_step = _drawn({row.record_size for rows in by_test.values() for row in rows})
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
                "areas": _areas(rows, files, records, scale),
                "label": _label(rows, unit),
            }
            for test, rows in shown
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


def _drawn(sizes: set[int | None]) -> tuple[list[int], int]:
    """The sizes of an axis in ascending order with the largest among them, and the step between those drawn."""
    ordered = sorted(size for size in sizes if size is not None)
    step = ceil(len(ordered) / MOST_SIZES)
    return ordered[::-1][::step][::-1], step


def _areas(
    rows: Sequence[ResultOutline], files: Sequence[int], records: Sequence[int], scale: _ColourScale
) -> list[ColourArea]:
    file_at, record_at = ({size: i for i, size in enumerate(sizes)} for sizes in (files, records))
    classes = [[""] * len(records) for _ in files]
    for row in rows:
        if row.file_size in file_at and row.record_size in record_at and row.mean:
            classes[file_at[row.file_size]][record_at[row.record_size]] = scale.colour(row.mean)
    return [ColourArea(colour, path) for colour, path in sorted(colour_areas(classes).items())]


def _label(rows: Sequence[ResultOutline], unit: Unit) -> str:
    """`693.6 to 6 713 MiB/s`."""
    means = [row.mean for row in rows if row.mean]
    return f"{_say(min(means), unit)} to {_say(max(means), unit)} {unit.name}" if means else "no figure"


def _say(value: float, unit: Unit) -> str:
    return say_mean_and_sd(value, None, 1, unit)["mean"]
