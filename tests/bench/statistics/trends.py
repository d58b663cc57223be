"""Change points of quiet histories and of a lasting step, looked at once and after each run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchdb.stats.arrays import FloatArray
from benchdb.stats.change_points import SMALLEST_SERIES, History, change_points
from tests.bench.statistics.claims import ROUNDS, Claim, Share

TOPIC = "Change points"
SEED = 12
NOISE = 0.03
BLOCKS = 8
LOOKS = 100
QUIET_BEFORE = 30


@dataclass(frozen=True)
class Quiet:
    """The noise of a history without a change: of successive days, and of runs of one day, which share its effect."""

    name: str
    runs_of_a_day: int = 1
    follows: float = 0.0
    heavy: bool = False


NORMAL = Quiet("normal")
HEAVY = Quiet("heavy-tailed (t₃)", heavy=True)
FOUR = Quiet("4 runs a day, days vary as much as runs", runs_of_a_day=4)
FOLLOWING = [Quiet(f"each day follows the one before, AR(1) {follows}", follows=follows) for follows in (0.3, 0.6)]


def noise(kind: Quiet, runs: int, rng: np.random.Generator) -> FloatArray:
    """The logarithms of so many runs, in units of the standard deviation of a run."""
    z: FloatArray = rng.standard_t(3, runs) / np.sqrt(3) if kind.heavy else rng.standard_normal(runs)
    for i in range(1, runs if kind.follows else 0):
        z[i] = kind.follows * z[i - 1] + np.sqrt(1 - kind.follows**2) * z[i]
    if kind.runs_of_a_day > 1:
        z = z + np.repeat(rng.standard_normal(runs), kind.runs_of_a_day)[:runs]
    return z


def history(logs: FloatArray, kind: Quiet, rounds: int, rng: np.random.Generator) -> History:
    """The history of runs with these logarithms, whose rounds vary as much as the runs."""
    days = np.arange(len(logs)) // kind.runs_of_a_day
    sds = NOISE * np.sqrt(rng.chisquare(rounds - 1, len(logs)) / (rounds - 1))
    return change_points(np.exp(NOISE * logs), sds, rounds, days)


def found_in(kind: Quiet, days: int, certain: bool, rng: np.random.Generator) -> bool:
    """Whether a quiet history that is looked at once gets a change point, or a certain one."""
    return found(history(noise(kind, days * kind.runs_of_a_day, rng), kind, 10, rng), certain)


def alarm(kind: Quiet, rounds: int, rng: np.random.Generator) -> bool:
    """Whether a quiet history that is looked at after each of its runs has a certain change point at some time."""
    logs = noise(kind, LOOKS, rng) + noise(NORMAL, LOOKS, rng) / np.sqrt(rounds)
    return any(found(history(logs[:runs], kind, rounds, rng), True) for runs in range(SMALLEST_SERIES, LOOKS + 1))


def found(searched: History, certain: bool) -> bool:
    return any(point.certain or not certain for point in searched.points)


def step_found(after: int, certain: bool, rng: np.random.Generator) -> bool:
    """Whether −10 % are found so many days after the step, near its position."""
    logs = noise(NORMAL, QUIET_BEFORE + after, rng)
    logs[QUIET_BEFORE:] += np.log(0.9) / NOISE
    points = history(logs, NORMAL, 10, rng).points
    return any(abs(point.at - QUIET_BEFORE) <= 2 and (point.certain or not certain) for point in points)


def _block(case: Callable[[np.random.Generator], bool], count: int, seed: list[int]) -> int:
    rng = np.random.default_rng(seed)
    return sum(case(rng) for _ in range(count))


def share(pool: Executor, case: Callable[[np.random.Generator], bool], count: int) -> Share:
    """The share of `count` histories in which the case is true."""
    each = -(-count // BLOCKS)
    hits = pool.map(partial(_block, case, each), [[SEED, block] for block in range(BLOCKS)])
    return Share(sum(hits), each * BLOCKS)


def trends(pool: Executor, effort: float) -> list[Claim]:
    """Quiet histories looked at once, watched ones, and a lasting step."""
    once, watched, dependent = (max(BLOCKS, round(count * effort)) for count in (800, 480, 160))
    claims = []
    for kind, certain, most in (
        *((kind, False, 0.05) for kind in (NORMAL, HEAVY, FOUR)),
        *((kind, False, None) for kind in FOLLOWING),
        *((kind, True, 0.05) for kind in (NORMAL, HEAVY, FOUR, *FOLLOWING)),
    ):
        text = (
            f"{'certain ' if certain else ''}change point in a quiet history of 3 n days, looked at once: {kind.name}"
        )
        shares = {n: share(pool, partial(found_in, kind, 3 * n, certain), once) for n in ROUNDS}
        claims.append(Claim(TOPIC, text, shares, most=most))
    for kind, rounds, most, count in (
        (NORMAL, ROUNDS, 0.05, watched),
        (HEAVY, (10,), 0.05, watched),
        (FOUR, (10,), 0.05, watched),
        *((kind, (10,), None, dependent) for kind in FOLLOWING),
    ):
        text = f"certain change point at any of {LOOKS} looks, one after each run of n rounds: {kind.name}"
        shares = {n: share(pool, partial(alarm, kind, n), count) for n in rounds}
        claims.append(Claim(TOPIC, text, shares, most=most))
    for certain, least in ((False, {3: 0.8, 5: 0.95}), (True, {5: 0.75, 10: 0.95})):
        text = f"{'certain ' if certain else ''}change point n days after a lasting −10 %, noise 3 %"
        for n, bound in least.items():
            claims.append(Claim(TOPIC, text, {n: share(pool, partial(step_found, n, certain), once)}, least=bound))
    return claims
