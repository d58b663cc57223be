"""Samples the machine ten times a second while a tool runs: devices, pressure, memory, processors, the file system.

Used by `measuring`. The series of a round are part of its record; docs/inside.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from benchagent.documents.records import SampledSeries
from benchagent.formats import ToolSeries
from benchagent.formats.over_time import OverTime, integers_of
from benchagent.formats.packing.series import packed

from .sampler import Sampler, sampling

__all__ = ["Sampler", "own_over_time", "own_series", "sampling"]


def own_series(tool: str, sent: Iterable[ToolSeries], begun: float) -> Iterator[SampledSeries]:
    """The series of a tool in a round that began at `begun`, in seconds of the monotonic clock.

    Quantities that are zero in all steps are left out: many tests move no bytes.
    """
    for each in sent:
        start = round(max(0.0, each.start - begun), 6)
        columns = (
            ("operations", 1.0, [*accumulate(each.operations)]),
            ("bytes", 1.0, [*accumulate(each.bytes)]),
            ("latency_max", 1e-9, each.longest),
        )
        for name, scale, points in columns:
            if any(points):
                yield SampledSeries(name, tool, start, each.step, scale, len(points), packed(points), each.test)


def own_over_time(tool: str, sent: Iterable[OverTime], begun: float) -> Iterator[SampledSeries]:
    """The same for single quantities, as from logs of a tool."""
    for each in sent:
        scale, points = integers_of(each)
        if any(points):
            start = round(max(0.0, each.start - begun), 6)
            yield SampledSeries(each.name, tool, start, each.step, scale, len(points), packed(points), each.test)
