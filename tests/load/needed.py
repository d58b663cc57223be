"""The memory and time that single requests need, with the bounds for both of the site's kinds of processes."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .memory import Peaks, Processes

MOST_NEEDED, MOST_KEPT = 400.0, 250.0  # MB of one process: beyond what it had before, and of its own afterwards
Step = tuple[str, Callable[[], int]]  # what is requested, and the request, which returns a status


@dataclass(frozen=True)
class Needed:
    """What a request needed: seconds until it was done, and seconds of processor time, workers included.

    `most` are the MB, beyond what it had before, of the process that needed most, by part. `kept` are the MB of its own
    that the largest process had afterwards, by part.
    """

    name: str
    status: int
    seconds: float
    processor: float
    most: dict[str, float]
    kept: dict[str, float]

    @property
    def wrong(self) -> list[str]:
        """What was not as it should be."""
        found = [f"{self.name}: status {self.status}"] if self.status >= 400 else []
        for part, size in self.most.items():
            if size > MOST_NEEDED:
                found.append(f"{self.name}: a process of the {part} needed {size:.0f} MB, {MOST_NEEDED:.0f} at most")
        for part, size in self.kept.items():
            if size >= MOST_KEPT:
                found.append(f"{self.name}: a process of the {part} keeps {size:.0f} MB, {MOST_KEPT:.0f} at most")
        return found

    def __str__(self) -> str:
        sizes = "".join(f"{self.most[part]:9.0f}{self.kept[part]:8.0f}" for part in sorted(self.most))
        note = "  TOO MUCH" if self.wrong else ""
        return f"{self.name:46} {self.status:6} {self.seconds:7.1f} {self.processor:9.1f} {sizes}{note}"


def measure(processes: Processes, steps: Iterable[Step]) -> list[Needed]:
    """Take these steps one after the other, and print what each of them needed."""
    parts = "".join(f"{part:>9}{'kept':>8}" for part in sorted(set(processes.tops.values())))
    print(f"\n{'MB of a process':46} {'status':>6} {'seconds':>7} {'processor':>9} {parts}")
    return [_measured(processes, *step) for step in steps]


def _measured(processes: Processes, name: str, do: Callable[[], int]) -> Needed:
    started = time.monotonic()
    with Peaks(processes) as peaks:
        status = do()
        took = time.monotonic() - started
        settled = processes.settled()
    most = dict.fromkeys(processes.tops.values(), 0.0)
    kept = most.copy()
    for process in peaks.seen.values():
        most[process.part] = max(most[process.part], process.needed)
    for part, size in settled.values():
        kept[part] = max(kept[part], size)
    needed = Needed(name, status, took, peaks.used, most, kept)
    print(needed, flush=True)
    return needed
