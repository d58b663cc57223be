"""Tails: false statements where nothing differs, and stalls that are found although the means are equal."""

from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from math import ceil

import numpy as np
from scipy import special

from benchagent.formats.packing.histogram import packed_histogram
from benchdb.stats import Cells, Verdict, compare
from benchdb.stats.arrays import FloatArray
from benchdb.stats.distributions.tails import TAIL_SHARES, common_share, compare_tails, tail_values, tails_of

from .blocks import share, spread
from .claims import ROUNDS, Claim, Share
from .noise import NOISE

SYSTEMS, COLUMNS = 4, 52  # 208 cells, 156 comparisons
CALLED = (Verdict.BETTER, Verdict.WORSE)
OPERATIONS = 10_000  # of a round: ten are slower than p99.9, the fewest that are enough
TAIL = 0.01  # the share of operations behind the log-normal body
HEAVY = 1.5  # of the tail (Pareto): its variance is infinite
DIGITS = 2**7  # buckets of a power of two, as fsload counts
MEAN, STALL, EVERY, SECONDS = 1e-3, 20e-3, 2.0, 10.0
ODD = (0.1, 0.3)  # shares of rounds that stall
WORLDS = {
    "rounds alike": None,
    "rounds that differ, log-normal": "log-normal",
    "rounds that differ, two levels": "two levels, 3 to 7",
    "rounds that differ, heavy tails": "heavy tails",
    "rounds that differ, outliers": "outliers",
}


def tails(pool: Executor, effort: float) -> list[Claim]:
    """The claims of docs/statistics.md about tails."""
    tables = int(1000 * effort)
    claims = []
    for number, (world, kind) in enumerate(WORLDS.items()):
        counted = _counted(pool, partial(_false, kind), tables, number)
        before = _shares(counted, "unlimited")
        text = f"tables of 208 cells in which nothing differs, any tail better or worse, {world}"
        claims.append(Claim("tails", text, _shares(counted, "false"), 0.05, before=before))
    for odd in ODD:
        counted = _counted(pool, partial(_by_chance, odd), tables, round(100 * odd))
        text = f"tables of 208 cells in which nothing differs, any tail better or worse, {odd:.0%} of the rounds stall"
        claims.append(Claim("tails", text, _shares(counted, "false"), 0.05))
    for number, (name, wait) in enumerate(STALLS.items()):
        counted = _counted(pool, partial(_stalled, wait), int(150 * effort), 100 + number, (5, 10))
        text = f"a stall of 20 ms every 2 s in one cell of 208, {name}: the tail is worse"
        claims.append(Claim("tails", text, _shares(counted, "found"), least=0.95 if number == 0 else None))
        claims.append(Claim("tails", "the same: the mean is called different", _shares(counted, "mean")))
    return claims


def _by_chance(odd: float, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables in which each round stalls with this chance, for 50 times as long."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    for _ in range(tables):
        stalled = np.where(rng.random((SYSTEMS, COLUMNS, n)) < odd, 50, 1)
        counts["false"] += any(
            verdict in CALLED
            for verdict in compare_tails(*_sides(_percentiles("log-normal", rng, n) * stalled)).verdict
        )
    return counts


def _counted(
    pool: Executor,
    job: Callable[[int, int, list[int]], Counter[str]],
    tables: int,
    seed: int,
    rounds: tuple[int, ...] = ROUNDS,
) -> Mapping[int, Counter[str]]:
    return {n: spread(pool, partial(job, n), tables, [seed, n]) for n in rounds}


def _shares(counted: Mapping[int, Counter[str]], what: str) -> dict[int, Share]:
    return {n: share(counts, what, "tables") for n, counts in counted.items()}


def _latency(uniform: FloatArray) -> FloatArray:
    """The latencies with these ranks (0 to 1) in units of the median: a log-normal body and a tail of Pareto's."""
    body = np.exp(0.5 * special.ndtri(np.minimum(uniform, 1 - TAIL)))
    return np.asarray(body * np.minimum((1 - uniform) / TAIL, 1) ** (-1 / HEAVY))


def _percentiles(kind: str | None, rng: np.random.Generator, n: int) -> FloatArray:
    """The p99.9 in ns of each round of a table without differences, (systems, columns, n)."""
    rank = ceil(OPERATIONS * 0.999)
    shape = (SYSTEMS, COLUMNS, n)
    latency = _latency(rng.beta(rank, OPERATIONS - rank + 1, shape))  # the order statistic of this rank
    cv = rng.uniform(0.05, 0.5, (COLUMNS, 1))
    level = 0.0 if kind is None else cv * NOISE[kind](rng, shape)
    return _in_buckets(100_000 * latency * np.exp(level))


def _in_buckets(ns: FloatArray) -> FloatArray:
    """The middles of the buckets."""
    width = 2.0 ** np.maximum(np.floor(np.log2(ns)) - np.log2(DIGITS), 0)
    return np.asarray((np.floor(ns / width) + 0.5) * width)


def _false(kind: str | None, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables with a tail called better or worse; `unlimited` without the condition on the usual spread."""
    rng = np.random.default_rng(seed)
    counts = Counter(tables=tables)
    for _ in range(tables):
        first, second = _sides(_percentiles(kind, rng, n))
        counts["false"] += _any(compare_tails(first, second).verdict)
        plain = compare(first, second, higher_is_better=False, margin=0.1, checked=False, few=0)
        counts["unlimited"] += _any(plain.verdict)
    return counts


def _any(verdicts: tuple[Verdict, ...]) -> bool:
    return any(verdict in CALLED for verdict in verdicts)


def _sides(rounds: FloatArray) -> tuple[Cells, Cells]:
    """The first three systems, and the last one beside each of them."""
    every = Cells.of_values(rounds.reshape(SYSTEMS * COLUMNS, -1), looks=1)
    places = np.arange((SYSTEMS - 1) * COLUMNS)
    return every.take(places), every.take(places % COLUMNS + places.size)


Wait = Callable[[np.random.Generator, FloatArray], FloatArray]
"""Adds the stalls of a round to its latencies, in seconds."""


def _open(rng: np.random.Generator, latency: FloatArray) -> FloatArray:
    """Operations that arrive during a stall wait until it ends."""
    into = rng.random(len(latency)) * EVERY
    return latency + np.where(into < STALL, STALL - into, 0)


def _closed(threads: int, rng: np.random.Generator, latency: FloatArray) -> FloatArray:
    """Only the operations that the threads have begun wait; the others begin after the stall."""
    stalled = rng.choice(len(latency), int(threads * SECONDS / EVERY), replace=False)
    waited = latency.copy()
    waited[stalled] += STALL
    return waited


STALLS: Mapping[str, Wait] = {
    "operations that arrive by themselves": _open,
    "16 threads that wait for their operations": partial(_closed, 16),
    "one thread that waits (reported: 5 stalled operations of 10,000)": partial(_closed, 1),
}


def _stalled(wait: Wait, n: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables in which one cell has stalls and the mean of its baseline; whether its tail is worse."""
    rng = np.random.default_rng(seed)
    counts = Counter(tables=tables)
    for _ in range(tables):
        packed, means = _pair(wait, rng, n)
        sides = tails_of(packed)
        at = common_share(sides)
        assert at == TAIL_SHARES.index(0.999)
        rounds = _percentiles("log-normal", rng, n)
        rounds[0, 0], rounds[-1, 0] = (tail_values([side], at) * 1e9 for side in sides)
        counts["found"] += compare_tails(*_sides(rounds)).verdict[0] is Verdict.WORSE
        counts["mean"] += compare(*(Cells.of_values([of_side], looks=1) for of_side in means)).verdict[0] in CALLED
    return counts


def _pair(wait: Wait, rng: np.random.Generator, n: int) -> tuple[list[list[bytes]], list[FloatArray]]:
    """The distributions of the rounds of both sides, and the means; the first side has the stalls."""
    packed: list[list[bytes]] = []
    means = []
    for stalls in (True, False):
        rounds = MEAN * rng.lognormal(0, 0.3, (n, OPERATIONS)) * np.exp(0.05 * rng.standard_normal((n, 1)))
        if stalls:
            waiting = np.array([wait(rng, each) for each in rounds])
            rounds = waiting * (rounds.mean() / waiting.mean())
        packed.append([_packed(each) for each in rounds])
        means.append(rounds.mean(axis=1))
    return packed, means


def _packed(seconds: FloatArray) -> bytes:
    latency, count = np.unique(_in_buckets(seconds * 1e9).astype(np.int64), return_counts=True)
    return b64decode(packed_histogram(dict(zip(latency.tolist(), count.tolist(), strict=True))))
