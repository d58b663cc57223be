"""Bencher Metric Format: measured cells for Bencher and what reads its JSON.

`{benchmark: {measure: {value, lower_value, upper_value}}}`: a benchmark is the name of a cell, a measure its metric, in
base units; the bounds are the 95 % interval of the mean (https://bencher.dev/docs/reference/bencher-metric-format/).
"""

from __future__ import annotations

import orjson

from benchdb.exports.clean import clean
from benchdb.exports.contents import Content, cells, named
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> bytes:
    """The cells with a mean; a failed cell has no number, so the format cannot have it."""
    benchmarks: dict[str, dict[str, dict[str, float]]] = {}
    for placed in cells(content):
        cell = placed.cell
        figures = {"value": cell.mean, "lower_value": cell.low, "upper_value": cell.high}
        if cell.mean is not None:
            measures = benchmarks.setdefault(clean(named(placed)), {})
            measures[placed.measure.metric.replace("_", "-")] = {
                name: figure for name, figure in figures.items() if figure is not None
            }
    return orjson.dumps(benchmarks)


FORMAT = ExportFormat(
    extension="bmf",
    media_type="application/json",
    label="BMF",
    hint="JSON for Bencher",
    export=export,
)
