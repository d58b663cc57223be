"""Intervals of percentiles: how often they contain the true percentile, for rounds that differ as real ones do.

A round has 100,000 operations: log-normal latencies around a median that differs from round to round (sd 5 %), and
stalls of 1 to 30 ms whose share also differs (gamma, shape 3, mean 0.05 %). The true percentile is that of many rounds
together.
"""

import numpy as np
import numpy.typing as npt
from scipy import stats

from benchdb.stats.distributions.percentiles import Distribution, interval, percentiles

SHARES = (0.5, 0.99, 0.999)
ROUNDS = (6, 10, 20)
TRIALS = 1_000
LEAST_COVERAGE = 0.9  # the lower end of the interval must reach it; few rounds know little of their tails
_OPERATIONS = 100_000
_EDGES = np.geomspace(5e-7, 0.1, 2_401)
_LATENCY = np.sqrt(_EDGES[1:] * _EDGES[:-1])

FloatArray = npt.NDArray[np.float64]


def _shares_of_buckets(random: np.random.Generator, rounds: int) -> FloatArray:
    """The probability of each bucket in each round (R, B)."""
    medians = 4e-6 * np.exp(random.normal(0, 0.05, (rounds, 1)))
    stalls = random.gamma(3, 0.0005 / 3, (rounds, 1))
    plain = stats.norm.cdf(np.log(_EDGES / medians) / 0.4)
    stalled = np.clip(np.log(_EDGES / 1e-3) / np.log(30), 0, 1)
    return np.diff((1 - stalls) * plain + stalls * stalled, axis=1).clip(0)


def _coverage(random: np.random.Generator, rounds: int, truth: FloatArray) -> npt.NDArray[np.int64]:
    """The number of trials in which the interval of each share contains the truth (S,)."""
    covered = np.zeros(len(SHARES), dtype=np.int64)
    for _ in range(TRIALS):
        probabilities = _shares_of_buckets(random, rounds)
        counts = random.multinomial(_OPERATIONS, probabilities / probabilities.sum(axis=1, keepdims=True))
        bounds = interval(Distribution(np.arange(rounds), _LATENCY, counts), SHARES)
        assert bounds is not None
        # Ranks and latencies are of the same buckets, so that no bucket is partly covered.
        covered += (bounds.low <= truth) & (truth <= bounds.high)
    return covered


def main() -> None:
    """Print the coverage with its 95 % interval (Clopper and Pearson)."""
    random = np.random.default_rng(31)
    whole = (_shares_of_buckets(random, 50_000).mean(axis=0, keepdims=True) * 1e12).astype(np.int64)
    truth = percentiles(whole, _LATENCY, SHARES)[0]
    print(f"{'rounds':>6} {'percentile':>10} {'covered':>8} {'95 % interval':>16}  at least {LEAST_COVERAGE:.0%}")
    for rounds in ROUNDS:
        for share, covered in zip(SHARES, _coverage(random, rounds, truth).tolist(), strict=True):
            exact = stats.binomtest(covered, TRIALS).proportion_ci()
            met = "met" if exact.low >= LEAST_COVERAGE else "MISSED"
            shown = f"{exact.low:.3f} to {exact.high:.3f}"
            print(f"{rounds:6} {100 * share:9g} % {covered / TRIALS:8.3f} {shown:>16}  {met}", flush=True)
