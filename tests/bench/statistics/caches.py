"""Contradictions between the reads of a run: how often noise alone makes one, and how often a cached read is found.

A run has 12 files with a sequential read and three reads out of order each, log-normal rounds, cv 1 to 10 % by cell.
"""

from concurrent.futures import Executor

import numpy as np

from benchdb.stats import faster_reads
from benchdb.stats.arrays import BoolArray, FloatArray

from .claims import ROUNDS, Claim, Share

RUNS, SEED, BATCH = 20_000, 27, 500
FILES, OTHERS = 12, 3


def caches(_pool: Executor, effort: float) -> list[Claim]:
    """The claims of the section on caches in docs/statistics.md."""
    runs = max(BATCH, int(RUNS * effort))
    quiet, margin, found = {}, {}, {}
    for rounds in ROUNDS:
        quiet[rounds] = _any(_contradictions(rounds, runs, 1.0))
        margin[rounds] = _any(_contradictions(rounds, runs, 1.02))
        one = _contradictions(rounds, runs, 1.25, cv=(0.03, 0.03))[:, 0, 0]
        found[rounds] = Share(int(one.sum()), len(one))
    powerful = {rounds: share for rounds, share in found.items() if rounds >= 5}
    return [
        Claim("Cache", "runs of equal reads that contradict themselves", quiet, most=0.01),
        Claim("Cache", "the same if reads out of order are 2 % faster", margin, most=0.01),
        Claim("Cache", "a read 25 % faster, noise 3 %, is found", powerful, least=0.9),
        Claim("Cache", "the same with 3 rounds (reported)", {3: found[3]}),
    ]


def _any(contradictions: BoolArray) -> Share:
    flagged = contradictions.any(axis=(1, 2))
    return Share(int(flagged.sum()), len(flagged))


def _contradictions(rounds: int, runs: int, factor: float, cv: tuple[float, float] = (0.01, 0.1)) -> BoolArray:
    """Which reads contradict: (runs, files, others). Reads out of order are `factor` times as fast."""
    random = np.random.default_rng([SEED, rounds])
    batches = [_batch(random, rounds, factor, cv) for _ in range(runs // BATCH)]
    return np.concatenate(batches)


def _batch(random: np.random.Generator, rounds: int, factor: float, cv: tuple[float, float]) -> BoolArray:
    noise = random.uniform(*cv, (BATCH, FILES, 1 + OTHERS, 1))
    values: FloatArray = np.exp(noise * random.standard_normal((BATCH, FILES, 1 + OTHERS, rounds)))
    values[:, :, 1:] *= factor
    means, sds = values.mean(axis=-1), values.std(axis=-1, ddof=1)
    shape = (BATCH, FILES, OTHERS)
    first = [np.broadcast_to(figure[:, :, :1], shape).ravel() for figure in (means, sds)]
    others = [figure[:, :, 1:].ravel() for figure in (means, sds)]
    counts = np.full(others[0].shape, float(rounds))
    tests = np.full(others[0].shape, float(FILES * OTHERS))
    return faster_reads(counts, *others, counts, *first, tests).contradicts.reshape(shape)
