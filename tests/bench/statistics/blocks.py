"""Counts over many simulated tables, in blocks over the processes of a pool, and the test of simulated cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np
from scipy import special

from benchdb.stats.arrays import FloatArray
from tests.bench.statistics.claims import Share

SEED = 27
AT_ONCE = 250  # tables of one call

Job = Callable[[int, list[int]], Counter[str]]
"""Simulates so many tables from a seed."""


def spread(pool: Executor, job: Job, tables: int, seed: Sequence[int]) -> Counter[str]:
    """The counts of a job over this many tables."""
    size = min(max(tables, 1), AT_ONCE)
    seeds = [[SEED, *seed, block] for block in range(max(tables // size, 1))]
    return sum(pool.map(job, [size] * len(seeds), seeds), Counter())


def share(counts: Counter[str], what: str, of: str) -> Share:
    """The share of one count in another."""
    return Share(counts[what], counts[of])


def welch_p(first: FloatArray, of_first: FloatArray, second: FloatArray, of_second: FloatArray, n: int) -> FloatArray:
    """Two-sided p of Welch's test from means, the variances of the means, and the number of rounds of both sides."""
    degrees = (of_first + of_second) ** 2 / ((of_first**2 + of_second**2) / (n - 1))
    p: FloatArray = 2 * special.stdtr(degrees, -np.abs((first - second) / np.sqrt(of_first + of_second)))
    return p
