"""OpenMetrics text (https://openmetrics.io): measured cells as gauges in base units, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CollectorRegistry, GaugeMetricFamily, Metric
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.registry import Collector

from benchdb.compare.content import Measure, Placed
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat
from benchdb.exports.unit_names import UNIT_NAMES
from benchdb.wording.clean import clean

LABELS = ("title", "split", "row", "column")


class _Cells(Collector):
    """The gauges of a content: the mean of each metric with its interval, and the number of values behind it."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def collect(self) -> Iterator[Metric]:
        placed = [each for each in cells(self._content) if each.cell.mean is not None]
        measures = {each.measure.metric: each.measure for each in placed}
        for metric, measure in measures.items():
            of_metric = [each for each in placed if each.measure.metric == metric]
            for name, field in (("", "mean"), ("_low", "low"), ("_high", "high"), ("_values", "n")):
                yield self._gauge(measure, name, field, of_metric)

    def _gauge(self, measure: Measure, name: str, field: str, placed: list[Placed]) -> GaugeMetricFamily:
        unit = "" if field == "n" else UNIT_NAMES.get(measure.base_unit, "")
        what = {"n": "Number of values", "mean": "Mean", "low": "Lower end of the 95 % interval"}
        gauge = GaugeMetricFamily(
            f"benchdb_{measure.metric}{name}",
            f"{what.get(field, 'Upper end of the 95 % interval')} of {measure.metric}.",
            labels=LABELS,
            unit=unit,
        )
        for each in placed:
            if (value := getattr(each.cell, field)) is not None:
                labels = (self._content.title, each.split, each.row, each.column)
                gauge.add_metric([clean(label) for label in labels], value)
        return gauge


def export(content: Content, origin: Origin) -> bytes:
    """The cells with a mean; a failed cell has no number."""
    registry = CollectorRegistry()
    registry.register(_Cells(content))
    written: bytes = generate_latest(registry)
    return written


FORMAT = ExportFormat(
    extension="metrics",
    media_type="application/openmetrics-text; version=1.0.0",
    label="OpenMetrics",
    hint="gauges for Prometheus",
    export=export,
)
