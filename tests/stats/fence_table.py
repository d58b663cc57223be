"""`python -m tests.stats.fence_table` writes the table of `stats/summary/outliers.py`: fence factors of normal samples.

A row for each n: the factors f beyond which a sample of n normal values has any value in 5 % and in 1 % of samples.
Simulated with a fixed seed: two million samples a size, so that the rates are right to 0.02 and 0.01 percentage points.
Takes about three minutes on one core.
"""

import numpy as np

from benchdb.stats.arrays import FloatArray
from benchdb.stats.ordering import quantile
from benchdb.stats.summary.outliers import CHANCES, LARGEST_N, SMALLEST_N, TABLE

SAMPLES = 2_000_000
SEED = 1987


def farthest(n: int, samples: int, seed: int) -> FloatArray:
    """For each sample of n normal values, the distance of the farthest value from its quartile, in IQR."""
    random = np.random.default_rng([seed, n])
    block = max(1, 4_000_000 // n)
    return np.concatenate(
        [_farthest(random.standard_normal((min(block, samples - done), n))) for done in range(0, samples, block)]
    )


def _farthest(values: FloatArray) -> FloatArray:
    ordered, sizes = np.sort(values, axis=1), np.full(len(values), values.shape[1])
    first, third = quantile(ordered, sizes, 0.25), quantile(ordered, sizes, 0.75)
    return np.asarray(np.maximum(first - ordered[:, 0], ordered[:, -1] - third) / (third - first), dtype=np.float64)


def main() -> None:
    """Write the table."""
    with TABLE.open("w", encoding="utf-8") as table:
        for n in range(SMALLEST_N, LARGEST_N + 1):
            factors = np.quantile(farthest(n, SAMPLES, SEED), 1 - np.array(CHANCES))
            table.write(",".join([str(n), *(f"{factor:.4f}" for factor in factors)]) + "\n")


if __name__ == "__main__":
    main()
