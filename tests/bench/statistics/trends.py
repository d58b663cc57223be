"""Change points of quiet histories and of a lasting step, looked at once and after each run."""

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
LOWER = -8.0  # of odd runs, in units of the noise
POSSIBLE, CERTAIN = 1, 2
Case = Callable[[np.random.Generator], int]


@dataclass(frozen=True)
class Quiet:
    """The noise of a history without a change: of successive days, and of runs of one day, which share its effect.

    A share of the runs is `odd`, 21 % lower.
    """

    name: str
    runs_of_a_day: int = 1
    follows: float = 0.0
    heavy: bool = False
    odd: float = 0.0


NORMAL = Quiet("normal")
HEAVY = Quiet("heavy-tailed (t₃)", heavy=True)
FOUR = Quiet("4 runs a day, days vary as much as runs", runs_of_a_day=4)
ODD = Quiet("a tenth of the days odd (−21 %)", odd=0.1)
FOLLOWING = [Quiet(f"each day follows the one before, AR(1) {follows}", follows=follows) for follows in (0.3, 0.6)]


def noise(kind: Quiet, runs: int, rng: np.random.Generator) -> FloatArray:
    """The logarithms of so many runs, in units of the standard deviation of a run."""
    z: FloatArray = rng.standard_t(3, runs) / np.sqrt(3) if kind.heavy else rng.standard_normal(runs)
    for i in range(1, runs if kind.follows else 0):
        z[i] = kind.follows * z[i - 1] + np.sqrt(1 - kind.follows**2) * z[i]
    if kind.odd:
        z = np.where(rng.random(runs) < kind.odd, LOWER, z)
    if kind.runs_of_a_day > 1:
        z = z + np.repeat(rng.standard_normal(runs), kind.runs_of_a_day)[:runs]
    return z


def history(logs: FloatArray, kind: Quiet, rounds: int, rng: np.random.Generator) -> History:
    """The history of runs with these logarithms, whose rounds vary as much as the runs."""
    days = np.arange(len(logs)) // kind.runs_of_a_day
    sds = NOISE * np.sqrt(rng.chisquare(rounds - 1, len(logs)) / (rounds - 1))
    return change_points(np.exp(NOISE * logs), sds, rounds, days)


def found_in(kind: Quiet, days: int, rng: np.random.Generator) -> int:
    """What a quiet history shows that is looked at once."""
    return surest(history(noise(kind, days * kind.runs_of_a_day, rng), kind, 10, rng))


def alarm(kind: Quiet, rounds: int, rng: np.random.Generator) -> int:
    """Whether a quiet history that is looked at after each of its runs has a certain change point at some time."""
    logs = noise(kind, LOOKS, rng) + noise(NORMAL, LOOKS, rng) / np.sqrt(rounds)
    looks = (history(logs[:runs], kind, rounds, rng) for runs in range(SMALLEST_SERIES, LOOKS + 1))
    return CERTAIN if any(surest(look) == CERTAIN for look in looks) else 0


def step_found(after: int, rng: np.random.Generator) -> int:
    """What is found of −10 % so many days after the step, near its position."""
    logs = noise(NORMAL, QUIET_BEFORE + after, rng)
    logs[QUIET_BEFORE:] += np.log(0.9) / NOISE
    return surest(history(logs, NORMAL, 10, rng), QUIET_BEFORE)


def surest(searched: History, near: int | None = None) -> int:
    """0 without a change point, POSSIBLE or CERTAIN; with `near` only of those within two runs."""
    points = [point for point in searched.points if near is None or abs(point.at - near) <= 2]
    return max((CERTAIN if point.certain else POSSIBLE for point in points), default=0)


def _block(case: Case, count: int, seed: list[int]) -> list[int]:
    rng = np.random.default_rng(seed)
    return [case(rng) for _ in range(count)]


def shares(pool: Executor, case: Case, count: float) -> tuple[Share, Share]:
    """The shares of about `count` histories with any change point, and with a certain one."""
    each = max(1, round(count / BLOCKS))
    blocks = pool.map(partial(_block, case, each), [[SEED, block] for block in range(BLOCKS)])
    found = np.concatenate(list(blocks))
    any_point, certain = (Share(int((found >= least).sum()), len(found)) for least in (POSSIBLE, CERTAIN))
    return any_point, certain


def trends(pool: Executor, effort: float) -> list[Claim]:
    """Quiet histories looked at once, watched ones, and a lasting step."""
    possible, certain = [], []
    for kind, most in ((NORMAL, 0.06), (HEAVY, 0.06), (FOUR, 0.06), (ODD, None), *((kind, None) for kind in FOLLOWING)):
        text = f"change point in a quiet history of 3 n days, looked at once: {kind.name}"
        found = {n: shares(pool, partial(found_in, kind, 3 * n), 1000 * effort) for n in ROUNDS}
        possible.append(Claim(TOPIC, text, {n: pair[0] for n, pair in found.items()}, most=most))
        certain.append(Claim(TOPIC, f"certain {text}", {n: pair[1] for n, pair in found.items()}, most=0.05))
    watched = []
    for kind, rounds, most, count in (
        (NORMAL, ROUNDS, 0.05, 400),
        (HEAVY, (10,), 0.05, 400),
        (FOUR, (10,), 0.05, 400),
        *((kind, (10,), None, 120) for kind in FOLLOWING),
    ):
        text = f"certain change point at any of {LOOKS} looks, one after each run of n rounds: {kind.name}"
        found = {n: shares(pool, partial(alarm, kind, n), count * effort) for n in rounds}
        watched.append(Claim(TOPIC, text, {n: pair[1] for n, pair in found.items()}, most=most))
    return [*possible, *certain, *watched, *drifts(pool, effort), *power(pool, effort)]


def told_of_drift(days: int, rng: np.random.Generator) -> int:
    """What is said of a drift of −20 % over so many days: nothing, POSSIBLE a drift, or CERTAIN a step."""
    logs = noise(NORMAL, days, rng) + np.linspace(0, np.log(0.8) / NOISE, days)
    points = history(logs, NORMAL, 10, rng).points
    return max((POSSIBLE if point.drift else CERTAIN for point in points), default=0)


def drifts(pool: Executor, effort: float) -> list[Claim]:
    """A drift told as such, and as a step of one day."""
    found = {n: shares(pool, partial(told_of_drift, 3 * n), 500 * effort) for n in ROUNDS}
    text = "a drift of −20 % over 3 n days, noise 3 %:"
    return [
        Claim(TOPIC, f"{text} found", {n: pair[0] for n, pair in found.items()}),
        Claim(TOPIC, f"{text} told as a step of one day", {n: pair[1] for n, pair in found.items()}),
        Claim(TOPIC, f"{text} told as a step of one day", {n: found[n][1] for n in (10, 30)}, most=0.1),
    ]


def power(pool: Executor, effort: float) -> list[Claim]:
    """A lasting step after so many days: found, and certain."""
    text = f"change point n days after a lasting −10 % that follows {QUIET_BEFORE} days, noise 3 %"
    found = {n: shares(pool, partial(step_found, n), 500 * effort) for n in ROUNDS}
    any_point = {n: pair[0] for n, pair in found.items()}
    return [
        Claim(TOPIC, text, any_point, least=0.85),
        Claim(TOPIC, f"certain {text}", {n: pair[1] for n, pair in found.items()}),
        Claim(TOPIC, f"certain {text}", {n: found[n][1] for n in (10, 30)}, least=0.95),
    ]
