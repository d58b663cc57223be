"""What sampling costs: processor time, and the throughput of fsload's fastest test beside it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchagent.inventory import Source
from benchagent.measuring.evidence import devices_of
from benchagent.sampling import Sampler, sampling
from benchagent.system.process import run
from tests.bench.ratios import Ledger, Ratio

ENGINE = Path(__file__).parents[3] / "agents" / "engine"
MOST = 0.01  # of a core, and of the throughput
SECONDS = 10  # of a round in which only the sampler works
SWEEP = ("--file-sizes", "64M", "--record-sizes", "1M", "--tests", "write,reread", "--no-latencies")


def main() -> None:
    """Print both costs, and which are above their bounds; the second wants a machine that does nothing else."""
    subprocess.run(["make", "-s", "-C", str(ENGINE)], check=True)
    ledger = Ledger()
    ledger.say(f"load average {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors; median [95 % interval]")
    for place in ("/var/tmp", "/dev/shm"):
        with tempfile.TemporaryDirectory(dir=place) as directory:
            processor_time(ledger, Path(directory), 7)
            if place == "/dev/shm":
                overhead(ledger, ENGINE / "build" / "fsload", Path(directory), 31)
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
    _run(["sleep", str(SECONDS)], directory, sampled=sampled)
    return time.process_time() - before


def overhead(ledger: Ledger, program: Path, directory: Path, repetitions: int) -> None:
    """The throughput of rereading cached memory, without sampling divided by with it."""
    ratios = []
    for number in range(repetitions):
        order = (True, False) if number % 2 else (False, True)
        speeds = {sampled: _reread(program, directory, sampled=sampled) for sampled in order}
        ratios.append(speeds[False] / speeds[True])
    ledger.bound(Ratio("fsload's reread, without sampling / with it", ratios), most=1 + MOST)


def _reread(program: Path, directory: Path, *, sampled: bool) -> float:
    """Bytes a second over all repetitions of one invocation, which takes more than a second."""
    command = [str(program), "sweep", "--directory", ".", *SWEEP, "--repetitions", "60"]
    lines = _run(command, directory, sampled=sampled).splitlines()
    results = [line for line in map(json.loads, lines) if line.get("test") == "reread"]
    return sum(line["bytes"] for line in results) * 1e9 / sum(line["elapsed_ns"] for line in results)


def _run(command: list[str], directory: Path, *, sampled: bool) -> str:
    devices = devices_of(directory, Source())
    with sampling(Source(), devices.numbers, devices.names, directory) as sampler:
        outcome = (
            run(command, directory=directory, sample=_sample(sampler)) if sampled else run(command, directory=directory)
        )
        if sampled:
            sampler.end()
            assert sampler.series(), "the program was too short to be sampled"
    assert outcome.ok, outcome.error
    return outcome.stdout


def _sample(sampler: Sampler) -> Callable[[], float]:
    sampler.begin()
    return sampler.sample
