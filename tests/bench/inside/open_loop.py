"""Operations that arrive at a rate, against the queue M/D/1: random arrivals at a device whose reads take a fixed time.

The mean wait of such a queue is ρ / (2 μ (1 − ρ)) (Pollaczek and Khinchine), for a load ρ and μ reads per second. The
last column takes chance out: it compares with a queue to which operations arrive at the same moments (Lindley's
recursion), as fsload draws them from its seed.
"""

import ctypes
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from tests.engine.test_open_loop import Arrivals

from .served_files import slow_reads

ENGINE = Path(__file__).parents[3] / "agents" / "engine"
READ_SECONDS = 0.002
LOADS = (0.3, 0.5, 0.7, 0.9)
ROUNDS = 6  # each with its own seed
SECONDS = 6
MOST_OFF = 0.1  # of the measured wait, against the same arrivals
ENGINES = {"sync": (), "io_uring": ("--engine", "io_uring", "--depth", "256")}
_STREAM = 0x6172726976616C73  # of sweep/arrivals.c


def _measured(directory: Path, *options: str) -> dict[str, Any]:
    """The result of random reads by fsload, which no ordinary process delays."""
    sizes = ("--file-sizes", "4M", "--record-sizes", "4K", "--tests", "random_read", "--direct")
    command = ["chrt", "-f", "40", str(ENGINE / "build" / "fsload"), "sweep", "--directory", str(directory), *sizes]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    [result] = [line for line in lines if line["type"] == "result"]
    return result


def _expected_wait(library: ctypes.CDLL, seed: int, operations: int, gap: float, service: float) -> float:
    """The mean wait in seconds of a queue with fsload's arrivals of this seed, `gap` seconds apart on average."""
    stream = library.random_mix(library.random_mix(seed, _STREAM), 0)
    arrivals = Arrivals(gap, True, stream, 0, 0.0, 0.0, 0)
    wait = total = before = 0.0
    for number in range(operations):
        library.arrivals_pass(ctypes.byref(arrivals))
        wait = max(0.0, wait + service - (arrivals.next - before)) if number else 0.0
        before = arrivals.next
        total += wait
    return total / operations


def _library() -> ctypes.CDLL:
    subprocess.run(["make", "-s", "-C", str(ENGINE), "build/fsload", "build/libfsload.so"], check=True)
    library = ctypes.CDLL(str(ENGINE / "build" / "libfsload.so"))
    library.random_mix.restype = ctypes.c_uint64
    library.random_mix.argtypes = (ctypes.c_uint64, ctypes.c_uint64)
    return library


def main() -> None:
    """Print the waits for each engine and load, with 95 % intervals over the rounds."""
    library = _library()
    print(f"load average {os.getloadavg()[0]:.1f}; reads of {1000 * READ_SECONDS:g} ms; waits in ms")
    print(f"{'engine':>9} {'load':>5} {'formula':>8} {'measured':>9} {'95 % interval':>15} {'/ same arrivals':>16}")
    with slow_reads(READ_SECONDS) as directory:
        for engine, options in ENGINES.items():
            for load in LOADS:
                _row(library, directory, engine, options, load)


def _row(library: ctypes.CDLL, directory: Path, engine: str, options: tuple[str, ...], load: float) -> None:
    """Measure and print one load. Each round measures the device anew: reads in a full queue, and single ones."""
    waits, ratios, formulas = [], [], []
    for seed in map(str, range(1, ROUNDS + 1)):
        full = _measured(directory, *options, *(("--operations", "500") if options else ()))
        single = _measured(directory, *options, "--rate", "100", "--seconds", "1")
        service = full["elapsed_ns"] / 1e9 / full["operations"]
        gap = service / load
        paced = ("--rate", f"{1 / gap:.6f}", "--arrivals", "poisson", "--seconds", str(SECONDS), "--seed", seed)
        result = _measured(directory, *options, *paced)
        wait = (result["latency_ns"]["mean"] - single["latency_ns"]["mean"]) / 1e9
        waits.append(1000 * wait)
        ratios.append(wait / _expected_wait(library, int(seed), result["operations"], gap, service))
        formulas.append(1000 * load * service / (2 * (1 - load)))
    low, high = stats.t.interval(0.95, ROUNDS - 1, np.mean(waits), stats.sem(waits))
    formula, ratio = float(np.mean(formulas)), float(np.median(ratios))
    met = low <= formula <= high and abs(ratio - 1) <= MOST_OFF
    print(
        f"{engine:>9} {load:5.1f} {formula:8.3f} {np.mean(waits):9.3f} {f'{low:.3f} to {high:.3f}':>15} {ratio:16.3f}  "
        f"{'met' if met else 'MISSED'}",
        flush=True,
    )
