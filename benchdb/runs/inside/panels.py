"""The panels of the page inside a run: which series are drawn together, and how their numbers are said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchagent.formats.vocabulary import test_label
from benchdb.runs.store.round_series import ReadSeries
from benchdb.wording.numbers import say_duration, say_number
from benchdb.wording.sizes import say_size

Say = Callable[[float], str]
MOST_DISKS = 7  # that colours tell apart


@dataclass(frozen=True, slots=True)
class PanelKind:
    """A panel: its heading, and the names of its series with their labels. `say` is for rates, or for levels.

    Series of single disks have the names of these as labels.
    """

    heading: str
    labels: dict[str, str]
    say: Say


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel with the series that a round has, each with its label."""

    kind: PanelKind
    series: Sequence[tuple[str, ReadSeries]]

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened: all figures are zero."""
        return not any(series.rates.any() for _, series in self.series)


def _bytes_a_second(value: float) -> str:
    return f"{say_size(value)}/s"


def _a_second(value: float) -> str:
    return f"{_short(value)}/s"


def _latency(seconds: float) -> str:
    """`49 µs`, `1.22 ms`, `2.5 s`."""
    for unit, of_second in (("µs", 1e-6), ("ms", 1e-3)):
        if 0 < seconds < 999.5 * of_second:
            return f"{_short(seconds / of_second)} {unit}"
    return say_duration(seconds)


def _percent(value: float) -> str:
    return f"{_short(100 * value)} %"


def _hertz(value: float) -> str:
    return f"{_short(value / 1e9)} GHz"


def _degrees(value: float) -> str:
    return f"{_short(value)} °C"


def _short(value: float) -> str:
    """Three significant digits at most."""
    size = abs(value)
    return say_number(value, 0 if size >= 100 or value == int(value) else 1 if size >= 10 else 2)


KINDS = (
    PanelKind("Operations", {"operations": "operations"}, _a_second),
    PanelKind("Throughput of the tool", {"bytes": "bytes"}, _bytes_a_second),
    PanelKind("Mean latency", {"latency_mean": "mean"}, _latency),
    PanelKind("Longest operation", {"latency_max": "longest"}, _latency),
    PanelKind(
        "Throughput of the device", {"device_write_bytes": "writes", "device_read_bytes": "reads"}, _bytes_a_second
    ),
    PanelKind("Disks below, writes", {"disk_write_bytes": "writes"}, _bytes_a_second),
    PanelKind("Disks below, reads", {"disk_read_bytes": "reads"}, _bytes_a_second),
    PanelKind("Disks below, busy", {"disk_busy_time": "busy"}, _percent),
    PanelKind(
        "Requests to the device",
        {"device_writes": "writes", "device_reads": "reads", "device_flushes": "flushes"},
        _a_second,
    ),
    PanelKind("Requests in flight", {"device_in_flight": "requests"}, _short),
    PanelKind("Device busy", {"device_busy_time": "busy"}, _percent),
    PanelKind(
        "Requests at work, mean",
        {"device_write_time": "writes", "device_read_time": "reads", "device_flush_time": "flushes"},
        _short,
    ),
    PanelKind("Waiting for storage", {"pressure_io_some": "a task waits", "pressure_io_full": "all wait"}, _percent),
    PanelKind("Data to be written", {"memory_dirty": "dirty", "memory_writeback": "being written"}, say_size),
    PanelKind("Without a place on the device", {"file_system_delayed": "data"}, say_size),
    PanelKind("Page cache", {"memory_page_cache": "cached"}, say_size),
    PanelKind("Reclaim of memory", {"reclaim_scanned": "scanned", "reclaim_stolen": "freed"}, _bytes_a_second),
    PanelKind("Stalls for memory", {"reclaim_stalls": "stalls"}, _a_second),
    PanelKind(
        "Waiting for memory", {"pressure_memory_some": "a task waits", "pressure_memory_full": "all wait"}, _percent
    ),
    PanelKind(
        "Processors at work",
        {
            "cpu_user": "programs",
            "cpu_system": "kernel",
            "cpu_interrupts": "interrupts",
            "cpu_iowait": "idle, waiting for storage",
            "cpu_stolen": "stolen by the hypervisor",
        },
        _short,
    ),
    PanelKind("Waiting for a processor", {"pressure_cpu_some": "a task waits"}, _percent),
    PanelKind("Processor frequency", {"cpu_frequency": "mean"}, _hertz),
    PanelKind("Temperature", {"temperature_cpu": "processors", "temperature_disk": "disks"}, _degrees),
    PanelKind(
        "Journal",
        {"journal_commits": "commits", "journal_writes": "writes", "journal_forces": "forced writes"},
        _a_second,
    ),
    PanelKind("Throughput of the journal", {"journal_write_bytes": "writes"}, _bytes_a_second),
    PanelKind("Time in commits", {"journal_commit_time": "commits"}, _percent),
    PanelKind("Writes of the file system", {"file_system_write_bytes": "writes"}, _bytes_a_second),
)


def panels_of(series: Sequence[ReadSeries]) -> list[Panel]:
    """The panels of a round, in the order of `KINDS`; a panel without series is left out."""
    panels = []
    for kind in KINDS:
        order = list(kind.labels)
        own = sorted((each for each in series if each.name in kind.labels), key=lambda each: order.index(each.name))
        if own:
            panels.append(Panel(kind, _of_many_disks(own) or [(_label(kind, each), each) for each in own]))
    return panels


def _label(kind: PanelKind, series: ReadSeries) -> str:
    return test_label(series.test) if series.test is not None else series.device or kind.labels[series.name]


def _of_many_disks(series: Sequence[ReadSeries]) -> list[tuple[str, ReadSeries]]:
    """The mean of the disks, and those with the highest and the lowest figures; empty if all of them can be drawn.

    The samples of all disks are of the same times.
    """
    if len(series) <= MOST_DISKS or any(each.device is None for each in series):
        return []
    ordered = sorted(series, key=lambda each: float(each.points[-1]))
    mean = replace(series[0], points=np.mean([each.points for each in series], axis=0))
    ends = (("most", ordered[-1]), ("least", ordered[0]))
    return [(f"mean of {len(series)} disks", mean), *((f"{word}, {each.device}", each) for word, each in ends)]
