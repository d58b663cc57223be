"""What sampling costs: processor time, and the throughput of fsload's fastest test beside it."""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchagent.formats import parse
from benchagent.formats.model import ToolSeries
from benchagent.inventory import Source
from benchagent.measuring.evidence import devices_of
from benchagent.sampling import Sampler, sampling
from benchagent.system.process import run
from tests.bench.ratios import Ledger, Ratio

ENGINE = Path(__file__).parents[3] / "agents" / "engine"
MOST = 0.01  # of a core, and of the throughput
SECONDS = 10  # of a round in which only the sampler works
PERIOD, PERIODS = 0.5, 80  # seconds with or without samples, and how many of them one test has
REREAD = """
num_filesystems=1
num_threadgroups=1
time={seconds}
[filesystem0]
location=/mnt
num_files=64
num_dirs=1
min_filesize=1048576
max_filesize=1048576
[end0]
[threadgroup0]
num_threads=1
readall_weight=1
read_size=1048576
read_blocksize=1048576
[end0]
"""


def main() -> None:
    """Print both costs, and which are above their bounds; the second wants a machine that does nothing else."""
    subprocess.run(["make", "-s", "-C", str(ENGINE)], check=True)
    ledger = Ledger()
    ledger.say(f"load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors; median [95 % interval]")
    for place in ("/var/tmp", "/dev/shm"):
        with tempfile.TemporaryDirectory(dir=place) as directory:
            processor_time(ledger, Path(directory), 7)
            if place == "/dev/shm":
                overhead(ledger, ENGINE / "build" / "fsload", Path(directory), 8)
    ledger.say("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet))


def processor_time(ledger: Ledger, directory: Path, repetitions: int) -> None:
    """The processor time of a second of sampling, beside a program that sleeps."""
    shares = []
    for _ in range(repetitions):
        spent = [_spent(directory, sampled=sampled) for sampled in (True, False)]
        shares.append((spent[0] - spent[1]) / SECONDS)
    ledger.bound(Ratio("processor time of sampling, share of a core", shares), most=MOST)


def _spent(directory: Path, *, sampled: bool) -> float:
    before = time.process_time()
    command, devices = ["sleep", str(SECONDS)], devices_of(directory, Source())
    with sampling(Source(), devices.numbers, devices.names, directory, devices.others_below) as sampler:
        if not sampled:
            outcome = run(command, directory=directory)
        else:
            sampler.begin()
            outcome = run(command, directory=directory, sample=sampler.sample)
            sampler.end()
            assert sampler.series(), "the program was too short to be sampled"
    assert outcome.ok, outcome.error
    return time.process_time() - before


def overhead(ledger: Ledger, program: Path, directory: Path, repetitions: int) -> None:
    """The throughput of rereading cached files, without sampling divided by with it.

    Sampling goes on and off each half second of the same test, because two tests one after the other differ by several
    per cent for other reasons, for example the memory that their files get.
    """
    ratios = [ratio for _ in range(repetitions) for ratio in _ratios_of_periods(program, directory)]
    ledger.bound(Ratio("fsload's reread, without sampling / with it", ratios), most=1 + MOST)


@dataclass(slots=True)
class Switched:
    """Samples in the first and fourth of each four periods, so that neither side is always the later one."""

    sampler: Sampler
    begun: float = 0.0

    def sample(self) -> float:
        """Take samples if it is their time. Returns the seconds until the next call."""
        now = time.monotonic()
        if not self.begun:
            self.sampler.begin()
            self.begun = now
        period, past = divmod(now - self.begun, PERIOD)
        return min(self.sampler.sample(), PERIOD - past) if sampled_in(int(period)) else PERIOD - past


def sampled_in(period: int) -> bool:
    """Whether samples are taken in this period after the first sample."""
    return period % 4 in (0, 3)


def _ratios_of_periods(program: Path, directory: Path) -> list[float]:
    """Reread files for some time; divide the bytes of each period without samples by those of its neighbour."""
    profile = directory / "reread.ffsb"
    profile.write_text(REREAD.format(seconds=int(PERIOD * PERIODS)))
    devices = devices_of(directory, Source())
    command = [str(program), "mix", str(profile), "--directory", ".", "--min-free", "1M"]
    with sampling(Source(), devices.numbers, devices.names, directory, devices.others_below) as sampler:
        switched = Switched(sampler)
        outcome = run(command, directory=directory, sample=switched.sample)
    assert outcome.ok, outcome.error
    [series] = parse(outcome.stdout).series
    moved = _by_period(series, switched.begun)
    pairs = range(2, max(moved) - 1, 2)  # without the first two, which warm up, and the last, which may be incomplete
    return [mean(moved[pair + sampled_in(pair)]) / mean(moved[pair + (not sampled_in(pair))]) for pair in pairs]


def _by_period(series: ToolSeries, begun: float) -> dict[int, list[float]]:
    """Bytes of the steps that are whole within one period after `begun`, by period."""
    moved: dict[int, list[float]] = {}
    for number, size in enumerate(series.bytes):
        start = series.start + number * series.step - begun
        if start >= 0 and int(start / PERIOD) == int((start + series.step) / PERIOD):
            moved.setdefault(int(start / PERIOD), []).append(size)
    return moved
