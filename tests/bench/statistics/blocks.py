"""Counts over many simulated tables, in blocks over the processes of a pool, and the comparison of one table."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np

from benchdb.stats import Cells, Comparisons, compare
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
    return Share(int(counts[what]), int(counts[of]))


def compared(logarithms: FloatArray) -> Comparisons:
    """The systems of one table of (systems, columns, rounds), compared with the last one as a page does it.

    The runs are those of an agent that were never continued.
    """
    systems, columns, rounds = logarithms.shape
    every = Cells.of_values(np.exp(logarithms).reshape(-1, rounds), looks=1)
    places = np.arange((systems - 1) * columns)
    return compare(every.take(places), every.take(places % columns + places.size), checked=False)
