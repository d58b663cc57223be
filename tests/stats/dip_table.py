"""`python -m tests.stats.dip_table` writes the table of `stats/summary/modes.py`: quantiles of uniform samples' dips.

Simulated with a fixed seed for each size: a million samples of usual sizes, fewer of long ones. The error
of p = 0.01 in the table is 0.0001 up to n = 40 and 0.0003 above. Takes about four minutes on two cores.
"""

import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchdb.stats.arrays import FloatArray
from benchdb.stats.summary.modes import LARGEST_N, SMALLEST_N, TABLE, dips

SIZES = [*range(SMALLEST_N, 41), 45, 50, 60, 70, 80, 100, 120, 150, LARGEST_N]
SHARES = [
    *(0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.015, 0.01),
    *(0.007, 0.005, 0.003, 0.002, 0.001, 0.0005, 0.0002, 0.0001),
]
SEED = 1985


def uniform_dips(n: int, samples: int, seed: int) -> FloatArray:
    """The sorted dips of `samples` samples of n uniform values."""
    random = np.random.default_rng([seed, n])
    block = max(1, 40_000 // n)
    found = [_dips_of(random.random((n, min(block, samples - done)))) for done in range(0, samples, block)]
    return np.sort(np.concatenate(found))


def _dips_of(values: FloatArray) -> FloatArray:
    ordered = np.sort(values, axis=0)
    return dips((ordered - ordered[0]) / (ordered[-1] - ordered[0]))


def row(n: int) -> FloatArray:
    """n, and √n times the quantiles of the dip."""
    samples = 1_000_000 if n <= 40 else 100_000
    quantiles = np.quantile(uniform_dips(n, samples, SEED), 1 - np.array(SHARES))
    return np.array([n, *np.sqrt(n) * quantiles])


def main() -> None:
    """Write the table."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(row, SIZES))
    lines = [",".join(f"{number:.6g}" for number in line) for line in [[0, *SHARES], *rows]]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
