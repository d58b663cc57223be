"""The JSON that github-action-benchmark takes as `customBiggerIsBetter` and `customSmallerIsBetter`.

Its action reads one direction from one file, so there is a format for each.
"""

from __future__ import annotations

from functools import partial

import orjson

from benchdb.exports.contents import Content, cells, named
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.wording.clean import clean


def export(content: Content, origin: Origin, *, bigger: bool) -> bytes:
    """The measured cells for which higher is better, or those for which lower is, in the units of the page."""
    found = []
    for placed in cells(content):
        cell, measure = placed.cell, placed.measure
        if cell.mean is not None and measure.higher_is_better == bigger:
            spread = None if cell.low is None or cell.high is None else (cell.high - cell.low) / 2 / measure.per
            entry = {
                "name": clean(f"{named(placed)}, {measure.metric}"),
                "unit": measure.unit,
                "value": cell.mean / measure.per,
                "extra": f"n = {cell.n}\n{origin.address}",
            }
            found.append(entry if spread is None else {**entry, "range": f"± {spread:.3g}"})
    return orjson.dumps(found)


BIGGER = ExportFormat(
    extension="bigger",
    media_type="application/json",
    label="GitHub, bigger",
    hint="for github-action-benchmark: higher is better",
    export=partial(export, bigger=True),
)
SMALLER = ExportFormat(
    extension="smaller",
    media_type="application/json",
    label="GitHub, smaller",
    hint="for github-action-benchmark: lower is better",
    export=partial(export, bigger=False),
)
