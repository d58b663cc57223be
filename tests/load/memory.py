"""Memory and processor time of the web and worker processes of a running site, and the most memory during a request.

The kernel keeps the most memory that a process had at once (VmHWM), so that no peak is missed between two samples.
Samples are needed all the same, for processes that end: a worker replaces its large ones.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.embedded.processes import services

from .watching import PARTS

MB = 10**6
EVERY_SECONDS = 0.02
SETTLING_SECONDS = 0.2  # between two equal samples
MOST_SETTLING_SECONDS = 10.0
UNCHANGED_MB = 0.5
_TICKS = os.sysconf("SC_CLK_TCK")
_GONE = (FileNotFoundError, ProcessLookupError)


@dataclass
class Process:
    """What a process had when it was first seen and what it had last: memory in MB, processor time in seconds."""

    part: str
    before: float
    most: float
    used_before: float
    used: float

    @property
    def needed(self) -> float:
        """The most memory beyond what it had before."""
        return self.most - self.before


class Processes:
    """The processes of the web server and of the worker, below the supervisor with this process id."""

    def __init__(self, supervisor: int, parts: Sequence[str] = ("web", "worker")) -> None:
        self.tops: dict[int, str] = {}
        for name, top in services(supervisor).items():
            if (part := PARTS.get(name, "")) in parts:
                self.tops[top.pid] = part

    def ids(self) -> Iterator[tuple[int, str]]:
        """The ids of all processes with their parts: the first of each part and its children."""
        for top, part in self.tops.items():
            yield top, part
            for task in _listed(Path(f"/proc/{top}/task")):
                with suppress(*_GONE):
                    for child in (task / "children").read_text().split():
                        yield int(child), part

    def own(self) -> dict[int, tuple[str, float]]:
        """The MB that only this process has (USS), by id and with its part."""
        found = {}
        for pid, part in self.ids():
            with suppress(*_GONE):
                found[pid] = part, own_memory(pid)
        return found

    def settled(self) -> dict[int, tuple[str, float]]:
        """`own`, when it does not change any more, or after ten seconds."""
        end = time.monotonic() + MOST_SETTLING_SECONDS
        before = self.own()
        while True:
            time.sleep(SETTLING_SECONDS)
            now = self.own()
            if time.monotonic() > end or unchanged(before, now):
                return now
            before = now


def unchanged(before: dict[int, tuple[str, float]], now: dict[int, tuple[str, float]]) -> bool:
    """Whether these are the same processes with the same memory."""
    return before.keys() == now.keys() and all(abs(now[pid][1] - before[pid][1]) < UNCHANGED_MB for pid in now)


class Peaks:
    """The most memory and the processor time of all processes while this context lasts, by process id."""

    def __init__(self, of: Processes) -> None:
        self.of = of
        self.seen: dict[int, Process] = {}
        self._over = threading.Event()

    def __enter__(self) -> Peaks:
        for pid, _ in self.of.ids():
            with suppress(*_GONE):
                forget_most(pid)
        self._sample()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._sample()

    def largest(self) -> Process:
        """The process that needed most."""
        return max(self.seen.values(), key=lambda process: process.needed)

    @property
    def used(self) -> float:
        """Seconds of processor time of all processes."""
        return sum(process.used - process.used_before for process in self.seen.values())

    def _watch(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            self._sample()

    def _sample(self) -> None:
        for pid, part in self.of.ids():
            with suppress(*_GONE):
                now, most = resident(pid)
                used = processor_seconds(pid)
                process = self.seen.setdefault(pid, Process(part, now, most, used, used))
                process.most, process.used = max(process.most, most), used


def own_memory(pid: int) -> float:
    """The MB that only this process has (USS)."""
    return _kilobytes(f"/proc/{pid}/smaps_rollup", "Private_Clean", "Private_Dirty") / 1000


def resident(pid: int) -> tuple[float, float]:
    """The MB of memory of a process now, also of pages that it shares, and the most since `forget_most`."""
    return _kilobytes(f"/proc/{pid}/status", "VmRSS") / 1000, _kilobytes(f"/proc/{pid}/status", "VmHWM") / 1000


def forget_most(pid: int) -> None:
    """Let the kernel take the present memory for the most: proc_pid_clear_refs(5)."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def processor_seconds(pid: int) -> float:
    """Seconds of processor time so far, without those of ended children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _kilobytes(path: str, *names: str) -> float:
    """The sum of these lines, in units of 1,000 bytes; 0 for a process that has ended and is not collected yet."""
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return sum(int(words[1]) * 1.024 for words in lines if words and words[0].rstrip(":") in names)


def _listed(folder: Path) -> list[Path]:
    with suppress(*_GONE):
        return list(folder.iterdir())
    return []
