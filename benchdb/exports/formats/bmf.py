"""Bencher Metric Format: measured cells for Bencher and what reads its JSON.

`{benchmark: {measure: {value, lower_value, upper_value}}}` (https://bencher.dev/docs/reference/bencher-metric-format/).
A benchmark is the name of a cell; the bounds are the 95 % interval of the mean. Operations a second and mean latency
are Bencher's own measures `throughput` and `latency` (ns); others have metric and base unit as their name.
"""

from __future__ import annotations

import orjson

from benchdb.compare.content import Measure
from benchdb.exports.contents import Content, cells, named
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.exports.unit_names import UNIT_NAMES
from benchdb.wording.clean import clean

_BENCHER = {"rate": ("throughput", 1.0), "latency_mean": ("latency", 1e9)}


def export(content: Content, origin: Origin) -> bytes:
    """The cells with a mean; a failed cell has no number, so the format cannot have it."""
    benchmarks: dict[str, dict[str, dict[str, float]]] = {}
    for placed in cells(content):
        cell = placed.cell
        figures = {"value": cell.mean, "lower_value": cell.low, "upper_value": cell.high}
        if cell.mean is not None:
            name, factor = _measure(placed.measure)
            known = {member: factor * figure for member, figure in figures.items() if figure is not None}
            benchmarks.setdefault(clean(named(placed)), {})[name] = known
    return orjson.dumps(benchmarks)


def _measure(measure: Measure) -> tuple[str, float]:
    """The name of a measure, and by what its figures in base units are multiplied."""
    unit = UNIT_NAMES.get(measure.base_unit, measure.base_unit)
    return _BENCHER.get(measure.metric) or (f"{measure.metric}_{unit}".replace("_", "-"), 1.0)


FORMAT = ExportFormat(
    extension="bmf",
    media_type="application/json",
    label="BMF",
    hint="JSON for Bencher",
    export=export,
)
