"""Knees of response curves: how often simulated queueing systems show theirs, and curves without one a false knee.

A round's throughput and latency are those of the formula, each times a log-normal error. Errors of one round go along
with each other, as in a closed system, where throughput × latency is the number of operations in flight.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from benchdb.stats.knee import knee, powers

FloatArray = npt.NDArray[np.float64]

TRIALS = 1_000
ROUNDS = (3, 5, 10)
NOISE = 0.05  # sd of the logarithm of throughput from round to round
OWN_NOISE = 0.03  # of latency, beside that of throughput
MOST_FALSE, LEAST_COVERED = 0.05, 0.95
THREADS = np.array([1, 2, 4, 8, 16, 32, 64], dtype=np.float64)
LOADS = np.arange(0.1, 0.95, 0.1)


@dataclass(frozen=True, slots=True)
class System:
    """A system: its levels, their throughput and latency, and the level of its knee; None if it has none."""

    name: str
    levels: FloatArray
    throughput: FloatArray
    latency: FloatArray
    knee: float | None


def closed(channels: float) -> System:
    """A closed system without think time whose device serves so many operations at once: N* = (D + Z) ÷ Dmax."""
    throughput = np.minimum(THREADS, channels)
    return System(f"closed, N* = {channels:g}", THREADS, throughput, THREADS / throughput, channels)


def network(demands: Sequence[float], think: float) -> System:
    """A closed network of queues by exact mean value analysis; its knee is the N with the greatest X ÷ R."""
    most = int(THREADS[-1])
    queues, throughput, latency = np.zeros(len(demands)), np.zeros(most), np.zeros(most)
    for n in range(1, most + 1):
        residence = np.array(demands) * (1 + queues)
        latency[n - 1] = residence.sum()
        throughput[n - 1] = n / (think + latency[n - 1])
        queues = throughput[n - 1] * residence
    bound = (sum(demands) + think) / max(demands)
    best = 1 + int(np.argmax(throughput / latency))
    at = THREADS.astype(int) - 1
    return System(f"network, N* = {bound:g}, X/R at {best}", THREADS, throughput[at], latency[at], best)


def open_loop() -> System:
    """M/M/1 at rising rates of arrival: R = S ÷ (1 − ρ), so that X ÷ R = ρ (1 − ρ) is greatest at ρ = 0.5."""
    return System("open, M/M/1, ρ = 0.5", LOADS, LOADS, 1 / (1 - LOADS), 0.5)


def without() -> list[System]:
    """Curves that have no knee among their levels."""
    # A closed system: R = N ÷ X. As the root of N, X leaves X ÷ R as it is.
    slowing = np.minimum(THREADS, 8) * np.sqrt(np.maximum(THREADS / 8, 1))
    shapes: Sequence[tuple[str, FloatArray, FloatArray]] = (
        ("level latency", THREADS, np.ones(7)),
        ("straight, latency rises by half", THREADS, 1 + THREADS / 128),
        ("straight through the origin", THREADS, THREADS),
        ("full from the first level", np.ones(7), THREADS),
        ("even throughput and latency", np.ones(7), np.ones(7)),
        ("power even at the last four levels", slowing, THREADS / slowing),
    )
    return [System(name, THREADS, throughput, latency, None) for name, throughput, latency in shapes]


def _trial(system: System, random: np.random.Generator, rounds: int) -> tuple[float, float] | None:
    """The interval of the knee in levels; None without a knee."""
    common = random.normal(0, NOISE, (len(system.levels), rounds))
    own = random.normal(0, OWN_NOISE, common.shape)
    throughput = system.throughput[:, np.newaxis] * np.exp(common)
    found = knee(powers(throughput, system.latency[:, np.newaxis] * np.exp(own - common)))
    if found.low is None or found.high is None:
        return None
    return float(system.levels[found.low]), float(system.levels[found.high])


def _row(system: System, random: np.random.Generator, rounds: int) -> None:
    intervals = [_trial(system, random, rounds) for _ in range(TRIALS)]
    found = [interval for interval in intervals if interval is not None]
    share = len(found) / TRIALS
    if system.knee is None:
        bound = stats.binomtest(len(found), TRIALS).proportion_ci(0.99).low
        met = "met" if bound <= MOST_FALSE else "MISSED"
        print(f"{rounds:6}  {system.name:37} {'none':>8} {share:7.1%} {'':>8} {'':>8}  {met}", flush=True)
        return
    covered = sum(low < system.knee < high for low, high in found)
    bound = stats.binomtest(covered, len(found)).proportion_ci(0.99).high if found else 0.0
    met = "met" if bound >= LEAST_COVERED else "MISSED"
    width = float(np.median([high / low for low, high in found])) if found else float("nan")
    within = covered / len(found) if found else float("nan")
    print(f"{rounds:6}  {system.name:37} {system.knee:8g} {share:7.1%} {within:8.1%} {width:8.1f}  {met}", flush=True)


def main() -> None:
    """Print for each system how often a knee is found, how often it is in the interval, and the interval's width."""
    random = np.random.default_rng(31)
    print(f"{'rounds':>6}  {'system':37} {'knee':>8} {'found':>7} {'covered':>8} {'high/low':>8}")
    make: Sequence[Callable[[], Sequence[System]]] = (
        lambda: [closed(channels) for channels in (4, 6, 8, 12)],
        lambda: [network([1.0] * 8, 0), network([1.0, 0.5, 0.2], 10), open_loop()],
        without,
    )
    for systems in make:
        for system in systems():
            for rounds in ROUNDS:
                _row(system, random, rounds)
