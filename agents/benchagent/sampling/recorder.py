"""Samples of several probes at the same times, and the series that they become."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from benchagent.documents.records import SampledSeries
from benchagent.formats.packing.series import packed
from benchagent.formats.sampled import MOST_POINTS, SAMPLED

from .probe import Probe


class SampleRecorder:
    """Takes a sample of its probes every `step` seconds. When it is full, it keeps every second one.

    The step doubles then. Counters lose nothing, because each sample has their sum; levels are those of single moments.
    """

    def __init__(self, probes: Sequence[Probe], step: float) -> None:
        self._probes, self.step = probes, step
        self._times: list[float] = []  # seconds of the monotonic clock

    def sample(self, now: float) -> None:
        """Take a sample."""
        self._times.append(now)
        for probe in self._probes:
            probe.sample()
        if len(self._times) > 2 * MOST_POINTS:
            self._thin()

    def _thin(self) -> None:
        """Keep every second sample, the first and the last among them."""
        last = [len(self._times) - 1] if len(self._times) % 2 == 0 else []
        kept = [*range(0, len(self._times), 2), *last]
        self._times = [self._times[index] for index in kept]
        for probe in self._probes:
            if not probe.lost:
                probe.samples = [probe.samples[index] for index in kept]
        self.step *= 2

    @property
    def begun(self) -> float:
        """The time of the first sample, in seconds of the monotonic clock."""
        return self._times[0]

    @property
    def duration(self) -> float:
        """Seconds from the first to the last sample."""
        return self._times[-1] - self._times[0] if self._times else 0.0

    def series(self) -> Iterator[SampledSeries]:
        """The series of all probes: the duration is divided into equal steps, each with one point at its end."""
        points = min(MOST_POINTS, round(self.duration / self.step))
        if points < 1:
            return
        step = self.duration / points
        ends = [self._times[0] + step * number for number in range(1, points)] + [self._times[-1]]
        for probe in self._probes:
            if probe.lost:
                continue
            columns = zip(probe.files.names, probe.files.scales, zip(*probe.samples))
            for name, scale, column in columns:
                grows = SAMPLED[name].grows
                values = sums_at(self._times, column, ends) if grows else levels_at(self._times, column, ends)
                yield SampledSeries(
                    name=name,
                    source=probe.files.source,
                    start=0.0,
                    step=round(step, 9),
                    scale=scale,
                    points=len(values),
                    packed=packed(values),
                    device=probe.files.device,
                )


def sums_at(times: Sequence[float], grown: Sequence[int], ends: Sequence[float]) -> list[int]:
    """The sums of a counter at these ends: linear between samples, and exact at the last."""
    sums = []
    for end in ends:
        after = min(bisect_left(times, end), len(times) - 1)
        before = max(0, after - 1)
        span = times[after] - times[before]
        share = (end - times[before]) / span if span > 0 else 1.0
        growth = grown[after] - grown[before]
        sums.append(grown[before] + (growth if share >= 1 else min(growth, round(growth * share))))
    return sums


def levels_at(times: Sequence[float], levels: Sequence[int], ends: Sequence[float]) -> list[int]:
    """The level of the sample nearest to each end."""
    nearest = []
    for end in ends:
        after = min(bisect_right(times, end), len(times) - 1)
        before = max(0, after - 1)
        nearest.append(levels[before if end - times[before] <= times[after] - end else after])
    return nearest
