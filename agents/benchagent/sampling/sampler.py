"""Samples the machine while the programs of a round run."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchagent.documents.records import SampledSeries
from benchagent.inventory import Source

from .machine import fast_probes, slow_probes
from .probe import Probe
from .recorder import SampleRecorder
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
