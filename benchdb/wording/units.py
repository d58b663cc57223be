"""The units a reader may choose. Values are stored in base units; a chosen unit only divides them."""

from __future__ import annotations

from dataclasses import dataclass

from benchagent.formats.vocabulary import METRICS


@dataclass(frozen=True)
class Unit:
    """`value in this unit = value in the base unit / per`."""

    name: str
    base: str
    per: float


UNITS = {
    unit.name: unit
    for unit in (
        Unit("KiB/s", "B/s", 1024.0),
        Unit("MiB/s", "B/s", 1024.0**2),
        Unit("GiB/s", "B/s", 1024.0**3),
        Unit("MB/s", "B/s", 1e6),
        Unit("GB/s", "B/s", 1e9),
        Unit("B/s", "B/s", 1.0),
        Unit("s", "s", 1.0),
        Unit("min", "s", 60.0),
        Unit("ms", "s", 1e-3),
        Unit("µs", "s", 1e-6),
        Unit("op/s", "op/s", 1.0),
        Unit("%", "ratio", 0.01),
        Unit("ratio", "ratio", 1.0),
        Unit("B", "B", 1.0),
        Unit("MiB", "B", 1024.0**2),
    )
}
# Names of KiB/s in iozone, bonnie++ and articles about them. Pages show the correct name.
ALSO_CALLED = {"KB/s": "KiB/s", "KB/sec": "KiB/s", "K/sec": "KiB/s", "kBytes/sec": "KiB/s"}
# For metrics that read badly with the default of their base unit: 130 % extents per file.
DEFAULTS_OF_METRICS = {"extents_per_file": "ratio"}
DEFAULTS = {"B/s": "MiB/s", "s": "s", "op/s": "op/s", "ratio": "%", "B": "MiB"}


def unit_named(name: str) -> Unit | None:
    """The unit with this name, which may also be a name that tools and articles use; None if unknown."""
    return UNITS.get(ALSO_CALLED.get(name, name))


def default_unit(metric: str) -> str:
    """The unit of a metric unless the reader chooses another: µs for latencies, as in most tools."""
    if metric.startswith("latency"):
        return "µs"
    return DEFAULTS_OF_METRICS.get(metric) or DEFAULTS[METRICS[metric].unit]


def possible(base: str) -> list[str]:
    """The units available for a quantity with this base unit."""
    return [unit.name for unit in UNITS.values() if unit.base == base]
