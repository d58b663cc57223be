"""Samples the machine while the programs of a round run."""

from __future__ import annotations

import os
import time
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchagent.documents.records import SampledSeries
from benchagent.formats.packing.series import packed
from benchagent.formats.sampled import MOST_POINTS, SAMPLED
from benchagent.inventory import Source

from .machine import fast_probes, slow_probes
from .probe import Probe
from .target import disk_probes, root_of, target_probes

STEP = 0.1  # seconds
SLOW_STEP = 1.0
MOST_DISKS = 24  # that have series of their own
MOST_FAST_DISKS = 8  # of more disks the counters are read every second; they lose nothing, because they are sums
NO_DISKS: Mapping[str, str] = {}
SHORTEST = 1.0  # seconds of a round that has series: points of shorter ones say nothing


class Sampler:
    """The samples of one round: `begin` before each of its programs, `sample` while it runs, `end` after it."""

    def __init__(self, fast: Sequence[Probe], slow: Sequence[Probe]) -> None:
        self._probes = [*fast, *slow]
        self._recorders = [SampleRecorder(fast, STEP), SampleRecorder(slow, SLOW_STEP)]
        self._due = [0.0, 0.0]  # of each recorder, on the monotonic clock

    def begin(self) -> None:
        """Open all files and take all samples, just before a program starts."""
        for probe in self._probes:
            probe.open()
        self._due = [0.0, 0.0]
        self.sample()

    def sample(self) -> float:
        """Take the samples that are due. Returns the seconds until the next ones."""
        now = time.monotonic()
        for number, recorder in enumerate(self._recorders):
            if now >= self._due[number]:
                recorder.sample(now)
                following = self._due[number] + recorder.step
                self._due[number] = following if following > now else now + recorder.step
        return max(0.0, min(self._due) - time.monotonic())

    def end(self) -> None:
        """Take all samples just after the program has ended, so that sums are complete."""
        self._due = [0.0, 0.0]
        self.sample()

    @property
    def begun(self) -> float:
        """The beginning of the round, in seconds of the monotonic clock."""
        return self._recorders[0].begun

    def series(self) -> tuple[SampledSeries, ...]:
        """The series of the round, without those of probes that were lost; none of a round that was too short."""
        if max(recorder.duration for recorder in self._recorders) < SHORTEST:
            return ()
        return tuple(series for recorder in self._recorders for series in recorder.series())

    def close(self) -> None:
        for probe in self._probes:
            probe.close()


@contextmanager
def sampling(
    source: Source,
    numbers: Sequence[str],
    names: Collection[str],
    directory: Path,
    disks: Mapping[str, str] = NO_DISKS,
) -> Iterator[Sampler]:
    """A sampler of the machine and of the file system of `directory`, closed at the end of the block.

    `numbers` are the `MAJOR:MINOR` of the file system's devices, `names` their names in the kernel. `disks` below them
    are numbers by name.
    """
    root = root_of(source)
    target = target_probes(source, numbers, names, os.statvfs(directory).f_frsize)
    of_disks = [*disk_probes(source, disks)][:MOST_DISKS]
    often = len(of_disks) <= MOST_FAST_DISKS
    fast = [*target, *(of_disks if often else []), *fast_probes(root)]
    sampler = Sampler(fast, [*(of_disks if not often else []), *slow_probes(root)])
    try:
        yield sampler
    finally:
        sampler.close()


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
