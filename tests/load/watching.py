"""Resources of the parts of a running site: memory, processor time, and the number of waiting messages."""

from __future__ import annotations

import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import psutil
from prometheus_client.parser import text_string_to_metric_families
from scipy.stats import theilslopes

from tests.embedded.processes import APPLICATION, services

MIB = 1 << 20
EVERY_SECONDS = 5.0
JUDGED_FROM = 300.0  # seconds; caches fill in the meantime
MOST_SHARE, MOST_MIB = 0.02, 4.0  # growth of a part in the second half
# The parts by the names of the services.
PARTS = {
    "application": "application",
    "web": "web",
    "worker": "worker",
    "files-worker": "worker",
    "beat": "beat",
    "postgres": "database",
    "valkey-server": "broker",
    "redis-server": "broker",
}


@dataclass(frozen=True)
class Growth:
    """Memory of one part in MiB: at the beginning, in the middle, at the end; its rise over the second half."""

    part: str
    first: float
    middle: float
    last: float
    rise: float
    processes: int
    cores: float  # the average number of processors used

    @property
    def flat(self) -> bool:
        """Whether the rise is within the limits."""
        return self.rise <= max(MOST_MIB, MOST_SHARE * self.middle)


@dataclass
class Watch:
    """Samples of all parts below the supervisor with this process id, every five seconds."""

    url: str
    supervisor: int
    samples: list[tuple[float, dict[str, float]]] = field(default_factory=list)
    queue: list[int] = field(default_factory=list)
    processes: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    used: list[dict[str, float]] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Watch:
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        started = time.monotonic()
        while True:
            memory, used, self.processes = measured(self.supervisor)
            self.samples.append((time.monotonic() - started, memory))
            self.used.append(used)
            try:
                self.queue.append(int(metrics(self.url)["benchdb_queue_messages"]))
            except (OSError, KeyError) as error:  # KeyError: missing while the broker is down
                self.wrong.append(f"/metrics after {self.samples[-1][0]:.0f} s: {error!r}")
            if self._over.wait(EVERY_SECONDS):
                return

    @property
    def seconds(self) -> float:
        """The time from the first sample to the last."""
        return self.samples[-1][0] - self.samples[0][0]

    @property
    def judged(self) -> bool:
        """Whether it was long enough to judge memory."""
        return self.seconds >= JUDGED_FROM

    def growths(self) -> list[Growth]:
        """The growth of each part."""
        return [self._growth(part) for part in sorted(self.samples[0][1])]

    def _growth(self, part: str) -> Growth:
        half = len(self.samples) // 2
        times = [seconds for seconds, _ in self.samples[half:]]
        values = [memory.get(part, 0.0) for _, memory in self.samples]
        slope = theilslopes(values[half:], times).slope if len(times) > 1 else 0.0
        used = self.used[-1].get(part, 0.0) - self.used[0].get(part, 0.0)
        return Growth(
            part,
            first=values[0],
            middle=values[half],
            last=values[-1],
            rise=float(slope) * (times[-1] - times[0]),
            processes=self.processes[part],
            cores=used / self.seconds,
        )


def measured(supervisor: int) -> tuple[dict[str, float], dict[str, float], dict[str, int]]:
    """By part: MiB of private memory, seconds of processor time so far, and the number of processes."""
    memory: dict[str, float] = {}
    used: dict[str, float] = {}
    number: dict[str, int] = {}
    for part, process in _processes(supervisor):
        with suppress(psutil.NoSuchProcess):  # sessions of the database come and go
            times = process.cpu_times()
            memory[part] = memory.get(part, 0.0) + process.memory_full_info().uss / MIB
            # The parent is charged for its ended children.
            spent = times.user + times.system + times.children_user + times.children_system
            used[part] = used.get(part, 0.0) + spent
            number[part] = number.get(part, 0) + 1
    return memory, used, number


def _processes(supervisor: int) -> Iterator[tuple[str, psutil.Process]]:
    yield "supervisor", psutil.Process(supervisor)
    for name, top in services(supervisor).items():
        part = PARTS.get(name, "supervisor")
        yield part, top
        for below in top.children(recursive=True) if name != APPLICATION else ():
            yield part, below


def metrics(url: str) -> dict[str, float]:
    """The samples of `/metrics`, by name and state."""
    with urllib.request.urlopen(f"{url}metrics", timeout=60) as answer:
        text = answer.read().decode()
    samples: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            state = sample.labels.get("state")
            samples[f"{sample.name} {state}" if state else sample.name] = sample.value
    return samples
