"""Gates: false alarms of quiet changes, slower tests that are found, and the rounds that verdicts need.

n is the number of tests of a gate.
"""

import gzip
import itertools
import json
import os
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np

from benchagent.plan.rotation import drawn_order
from benchdb.stats.arrays import FloatArray
from benchdb.stats.comparing.verdict import Verdict
from benchdb.stats.gate import GateVerdict, PairedRounds, judge

from .claims import ROUNDS, Claim, Share
from .noise import NOISE

SEED = 32
ROUNDS_OF_GATE, EVERY, MARGIN = 40, 8, 0.05
LOOKS = range(EVERY, ROUNDS_OF_GATE + 1, EVERY)
AT_MARGIN = 1 - 1 / (1 + MARGIN)
GATES = 1000
BLOCKS = 8
RECORDED = "BENCHDB_AA_CAMPAIGN"  # the file of a recorded campaign of identical targets, if there is one
KINDS = ("normal", "skewed", "two levels", "heavy tails", "outliers", "following rounds", "effects of rounds")
STAYING = "levels that stay for eight rounds"  # few rounds say little about them
PERIOD = "each fourth visit is 10 % slower"
DRIFTS = ("", "a drift of 20 %", "steps of 10 %", "the second of a round is 2 % slower", PERIOD)


def noise(kind: str, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """Noise of mean 0 and sd 1: (2 sides, tests, rounds)."""
    if kind == "skewed":
        return np.asarray(1 - rng.exponential(size=shape), dtype=np.float64)
    if kind == STAYING:
        level = np.cumsum(rng.random(shape) < 1 / 8, axis=-1) % 2 * 2 - 1
        return np.asarray((0.3 * rng.standard_normal(shape) + level) / np.sqrt(1.09), dtype=np.float64)
    return NOISE[kind](rng, shape)


def drift(kind: str, rng: np.random.Generator, rounds: int) -> FloatArray:
    """What time and order do to the logarithms of both sides, (2, 1, rounds). The sides have the order of a plan."""
    seed = int(rng.integers(2**31))
    places = np.array([np.argsort(drawn_order([(0, 1)], seed, number)) for number in range(rounds)]).T
    times = (2 * np.arange(rounds) + places) / (2 * rounds)
    if kind == "a drift of 20 %":
        effect = 0.2 * times * rng.choice([-1, 1])
    elif kind == "steps of 10 %":
        effect = -0.1 * (times > rng.random()) + 0.1 * (times > rng.random())
    elif kind == PERIOD:
        effect = -0.1 * ((2 * np.arange(rounds) + places) % 4 == rng.integers(4))
    elif kind:
        effect = -0.02 * places
    else:
        effect = np.zeros(times.shape)
    return effect[:, np.newaxis, :]


def gate(
    rng: np.random.Generator, tests: int, kind: str, drifting: str, cv: tuple[float, float], slower: FloatArray | float
) -> list[GateVerdict]:
    """The verdicts of one gate, of which the first test is slower by this share, or each by its own; the cv of each is
    in the range."""
    logs = noise(kind, rng, (2, tests, ROUNDS_OF_GATE)) * rng.uniform(*cv, (1, tests, 1))
    logs = logs + drift(drifting, rng, ROUNDS_OF_GATE)
    shares = np.atleast_1d(slower)
    logs[1, : len(shares)] += np.log1p(-shares)[:, np.newaxis]
    sides = [PairedRounds(*np.exp(logs[:, test]), higher_is_better=True) for test in range(tests)]
    return judge(sides, LOOKS, len(LOOKS), MARGIN)


def alarm(found: list[GateVerdict]) -> bool:
    return any(each.verdict is Verdict.WORSE for each in found)


def first_is(verdict: Verdict, found: list[GateVerdict]) -> bool:
    return found[0].verdict is verdict


def decided(found: list[GateVerdict]) -> bool:
    return all(each.verdict is not Verdict.INCONCLUSIVE for each in found)


def _gates(
    tests: int, kind: str, drifting: str, cv: tuple[float, float], slower: FloatArray | float, count: int, seed: int
) -> str:
    """A letter for the outcome of each gate, and its rounds: alarm, first test equivalent, all decided."""
    rng, outcomes = np.random.default_rng([SEED, tests, seed]), []
    for _ in range(count):
        found = gate(rng, tests, kind, drifting, cv, slower)
        flags = (alarm(found), first_is(Verdict.WORSE, found), first_is(Verdict.EQUIVALENT, found), decided(found))
        outcomes.append([*map(int, flags), max(each.rounds for each in found)])
    return json.dumps(outcomes)


def simulated(
    pool: Executor,
    tests: int,
    kind: str,
    drifting: str,
    cv: tuple[float, float],
    slower: FloatArray | float,
    count: int,
) -> FloatArray:
    """(gates, 5): alarm, first test worse, first test equivalent, all decided, rounds."""
    task = partial(_gates, tests, kind, drifting, cv, slower, max(1, count // BLOCKS))
    return np.array([each for block in pool.map(task, range(BLOCKS)) for each in json.loads(block)])


def recorded(path: Path, tests: int, count: int) -> Share:
    """Gates over a recorded campaign of identical targets: two of its targets, some of its results, in their rounds.

    Looks are at 8 rounds and at the last one, because a campaign has few.
    """
    targets = [run for run in json.loads(gzip.decompress(path.read_bytes())) if run["workload"] != "mkfs"]
    pairs = list(itertools.permutations(range(len(targets)), 2))
    chosen = [[r for r in run["results"] if r["metric"] == "throughput" and None not in r["values"]] for run in targets]
    rng, alarms = np.random.default_rng(SEED), 0
    for _ in range(count):
        first, second = pairs[rng.integers(len(pairs))]
        places = rng.choice(len(chosen[first]), min(tests, len(chosen[first])), replace=False)
        sides = [
            PairedRounds(*(np.array(chosen[side][place]["values"]) for side in (first, second)), higher_is_better=True)
            for place in places
        ]
        rounds = len(sides[0].baseline)
        alarms += alarm(judge(sides, [EVERY, rounds], 2, MARGIN))
    return Share(alarms, count)


def gates(pool: Executor, effort: float) -> list[Claim]:
    """The claims of docs/statistics.md about gates."""
    count, of = int(GATES * effort), "nothing differs, noise 1 to 5 %, any test is called worse"
    cases = [*((kind, "") for kind in (*KINDS, STAYING)), *(("normal", drifting) for drifting in DRIFTS[1:])]
    quiet = [
        Claim(
            "gates",
            f"{of}: {drifting or kind}",
            _share(pool, kind, drifting, count),
            0.05 if kind == STAYING else 0.01,
        )
        for kind, drifting in cases
    ]
    inside = {n: simulated(pool, n, "normal", "", (0.03, 0.03), 0.04, count) for n in ROUNDS}
    at_margin = {n: simulated(pool, n, "normal", "", (0.01, 0.05), np.full(n, MARGIN), count) for n in ROUNDS}
    slower = {n: simulated(pool, n, "normal", "", (0.03, 0.03), 0.1, count) for n in ROUNDS}
    skewed = {n: simulated(pool, n, "skewed", "a drift of 20 %", (0.03, 0.03), 0.1, count) for n in ROUNDS}
    noisy = {n: simulated(pool, n, "normal", "", (0.05, 0.05), 0.1, count) for n in ROUNDS}
    margin = {n: simulated(pool, n, "normal", "", (0.01, 0.05), AT_MARGIN, count) for n in ROUNDS}
    claims = [
        *quiet,
        Claim("gates", "one test is 4 % slower, noise 3 %, margin 5 %, and any called worse", _column(inside, 0), 0.05),
        Claim("gates", "all tests are slower by the margin, and any is called worse", _column(at_margin, 0), 0.05),
        Claim("gates", "one test is 10 % slower, noise 3 %, and called worse", _column(slower, 1), least=0.95),
        Claim("gates", "the same with noise of 5 %", _column(noisy, 1)),
        Claim("gates", "the same, skewed noise and a drift of 20 %", _column(skewed, 1), least=0.95),
        Claim("gates", "one test is slower by the margin, and called equivalent", _column(margin, 2), 0.06),
    ]
    for cv in (0.01, 0.02, 0.03, 0.05):
        found = {n: simulated(pool, n, "normal", "", (cv, cv), 0.0, count) for n in ROUNDS}
        claims.append(
            Claim("gates", f"nothing differs, noise {cv:.0%}: all decided within 40 rounds", _column(found, 3))
        )
        print(f"noise {cv:.0%}: mean rounds", {n: round(float(each[:, 4].mean()), 1) for n, each in found.items()})
    print("one test 10 % slower: mean rounds", {n: round(float(each[:, 4].mean()), 1) for n, each in slower.items()})
    if RECORDED in os.environ:
        shares = {n: recorded(Path(os.environ[RECORDED]), n, count) for n in ROUNDS}
        claims.append(Claim("gates", "a recorded campaign of equal targets: any test is called worse", shares))
    return claims


def _share(pool: Executor, kind: str, drifting: str, count: int) -> dict[int, Share]:
    return _column({n: simulated(pool, n, kind, drifting, (0.01, 0.05), 0.0, count) for n in ROUNDS}, 0)


def _column(found: dict[int, FloatArray], column: int) -> dict[int, Share]:
    return {n: Share(int(each[:, column].sum()), len(each)) for n, each in found.items()}
