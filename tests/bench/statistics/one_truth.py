"""Sentences of tables with one truth: how many say it, and whether they say more than is true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np

from benchdb.stats.arrays import FloatArray
from tests.bench.statistics.blocks import share, spread
from tests.bench.statistics.claims import ROUNDS, Claim
from tests.bench.statistics.sentences import findings_of

ROWS, TESTS = ("ext4", "xfs", "btrfs", "f2fs"), [f"Test {number}" for number in range(13)]
THREADS = {"1": 1.0, "2": 1.8, "8": 2.4, "32": 2.2}
NOISE = 0.05
DRIFT = 4.0  # sd of a round, from the first round to the last
BOUND = re.compile(r"allow up to (?:±\xa0|(a factor of ))([0-9.]+)")
Effects = Callable[[int], FloatArray]
SMALL = 0.03  # sd of differences too small to be found


TRUTHS: dict[str, tuple[Effects, Sequence[str]]] = {
    "peak": (lambda n: np.log([*THREADS.values()])[:, np.newaxis, np.newaxis, np.newaxis], ("threads",)),
    "slower": (lambda n: np.array([0.0, -0.2, -0.2, -0.2])[:, np.newaxis, np.newaxis], ("worse", "is best")),
    "drift": (lambda n: -NOISE * DRIFT * np.arange(n) / n, ("the values", "each value")),
}
"""Logarithms that fit to (threads, rows, tests, rounds), and words of the sentences that say it."""


def _tables(truth: str, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    effect, words = TRUTHS[truth]
    for _ in range(tables):
        logarithms = NOISE * rng.standard_normal((4, len(ROWS), len(TESTS), rounds)) + effect(rounds)
        texts = [found.text for found in findings_of(ROWS, TESTS, [*THREADS], logarithms, split="threads")]
        told = [text for text in texts if any(word in text for word in words) and "depend on the" not in text]
        counts["several"] += len(told) > 1
        counts["to the end"] += any("from 1 to 32" in text for text in told)
    return counts


def _bound(rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables with small differences: whether the bound of "No difference was found" holds for the largest."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    for _ in range(tables):
        truth = SMALL * rng.standard_normal((1, 1, len(TESTS), 1))
        logarithms = NOISE * rng.standard_normal((1, 2, len(TESTS), rounds)) + truth * np.array([[[0]], [[1]]])
        for found in findings_of(ROWS[:2], TESTS, ("",), logarithms):
            if bound := BOUND.search(found.text):
                largest = float(bound[2]) if bound[1] else 1 + float(bound[2]) / 100
                counts["exceeded"] += float(np.exp(np.abs(truth).max())) > largest
    return counts


def one_truth(pool: Executor, effort: float) -> list[Claim]:
    """How often one truth is told more than once, a peak as a rise to the end, and a bound that does not hold."""
    tables = round(400 * effort)
    counts = {
        truth: {n: spread(pool, partial(_tables, truth, n), tables, [n, index]) for n in ROUNDS}
        for index, truth in enumerate(TRUTHS)
    }
    bounds = {n: spread(pool, partial(_bound, n), 5 * tables, [n]) for n in ROUNDS}
    return [
        *(
            Claim("findings", f"4 rows × 13 tests × 4 numbers of threads, {what}: more than one finding says so",
                  {n: share(each, "several", "tables") for n, each in counts[truth].items()}, most=most)
            for truth, what, most in (("peak", "a peak at 8", None), ("slower", "three rows 18 % slower", 0.05),
                                      ("drift", "all drift", 0.05))
        ),
        Claim("findings", "the same, a peak at 8, 9 % above 32: “from 1 to 32” is said",
              {n: share(each, "to the end", "tables") for n, each in counts["peak"].items()}),
        Claim("findings", "“No difference was found; intervals allow up to …”: a true difference is larger",
              {n: share(each, "exceeded", "tables") for n, each in bounds.items()}, most=0.05),
    ]  # fmt: skip
