"""Percentiles of the latencies of several rounds, alone and together.

A percentile is the latency of the operation with the rank ⌈share × n⌉: so many operations took at most that time
(nearest rank; Hyndman & Fan, The American Statistician 50 (1996), 361, definition 1).

Rounds are the sample. An interval comes from drawing whole rounds again, never single operations: operations of one
round share their file, their disk state and their moment, so that millions of them are no millions of observations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from .decoding import decoded

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

LEAST_ROUNDS = 6  # for an interval: of fewer, no draw reaches beyond the extremes often enough
LEAST_BEYOND = 10  # operations that are slower than a percentile that is shown
MOST_ROUNDS = 200  # of a distribution, whose counts are a matrix; many rounds with other buckets would fill the memory
_MOST_COUNTS = 200_000  # rounds × buckets of three digits; of more, buckets are joined to two digits
_DRAWS = 2_000
_DRAWS_AT_ONCE = 500
_SEED = 20261126  # the same rounds always give the same interval


@dataclass(frozen=True, slots=True)
class Distribution:
    """R rounds counted in the same B buckets.

    `rounds` (R,) are places of the rounds that have a distribution, `latency` (B,) the middles of the buckets in
    seconds, rising, and `counts` (R, B) operations.
    """

    rounds: IntArray
    latency: FloatArray
    counts: IntArray

    @property
    def operations(self) -> IntArray:
        """The operations of each round (R,)."""
        return np.asarray(self.counts.sum(axis=1))


@dataclass(frozen=True, slots=True)
class PercentileBounds:
    """The 95 % interval of each of S percentiles, in seconds (S,)."""

    low: FloatArray
    high: FloatArray


def distribution_of(histograms: Sequence[bytes | None], rounds: Sequence[int] | None = None) -> Distribution:
    """The distributions of these rounds, by default of all that have one, at least one.

    Of more than `MOST_ROUNDS`, so many are taken, evenly spread. Raises FaultyHistogram.
    """
    given = with_histogram(histograms) if rounds is None else rounds
    chosen = [given[i] for i in evenly(len(given), MOST_ROUNDS)]
    buckets = decoded([histogram for place in chosen if (histogram := histograms[place]) is not None])
    middles, column = np.unique(buckets.latency, return_inverse=True)
    latency: FloatArray = middles.astype(np.float64)
    if len(chosen) * len(middles) > _MOST_COUNTS:
        latency, column = _joined(middles, column)
    counts = np.zeros((len(chosen), len(latency)), dtype=np.int64)
    np.add.at(counts, (buckets.owner, column), buckets.count)
    return Distribution(np.array(chosen), latency / 1e9, counts)


def evenly(count: int, most: int) -> list[int]:
    """At most so many of `count` places, evenly spread, with the first and the last."""
    places: list[int] = np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)).tolist()
    return places


def with_histogram(histograms: Sequence[bytes | None]) -> list[int]:
    """The places of the rounds that have a histogram."""
    return [place for place, histogram in enumerate(histograms) if histogram is not None]


def _joined(latency: IntArray, column: IntArray) -> tuple[FloatArray, IntArray]:
    """Buckets of at most 1/128 of a power of two; the latency of each is the middle of those that it joins."""
    mantissa, exponent = np.frexp(latency.astype(np.float64))
    _, group = np.unique(exponent * 256 + np.floor(mantissa * 256), return_inverse=True)
    first = np.flatnonzero(np.diff(group, prepend=-1))
    last = np.append(first[1:], len(latency)) - 1
    return (latency[first] + latency[last]) / 2, group[column]


def percentiles(counts: npt.NDArray[np.generic], latency: FloatArray, shares: Sequence[float]) -> FloatArray:
    """The latency of each share (0 to 1) of each row of counts (N, B): (N, S)."""
    cumulative = np.cumsum(counts, axis=1)
    # A share such as 0.9999 is no binary fraction: without the allowance, rank 9999 of 10,000 would become 10,000.
    ranks = np.ceil(cumulative[:, -1:] * np.asarray(shares) * (1 - 1e-12))
    found = [np.argmax(cumulative >= rank[:, None], axis=1) for rank in ranks.T]
    return np.asarray(latency[np.stack(found, axis=1)])


def together(distribution: Distribution, shares: Sequence[float]) -> FloatArray:
    """The percentiles of all operations of all rounds (S,)."""
    whole = distribution.counts.sum(axis=0, keepdims=True)
    return np.asarray(percentiles(whole, distribution.latency, shares)[0])


def interval(distribution: Distribution, shares: Sequence[float]) -> PercentileBounds | None:
    """The 95 % interval of each percentile of all rounds together; None if there are too few rounds.

    Rounds are drawn with replacement; the tails are widened for few rounds ("expanded percentile interval": Hesterberg,
    The American Statistician 69 (2015), 371, 4.1).
    """
    rounds = len(distribution.rounds)
    if rounds < LEAST_ROUNDS:
        return None
    random = np.random.default_rng(_SEED)
    cumulative = np.cumsum(distribution.counts, axis=1).astype(np.float64)  # faster than whole numbers
    drawn = np.concatenate(
        [
            _of_drawn_rounds(
                random.multinomial(rounds, np.full(rounds, 1 / rounds), _DRAWS_AT_ONCE).astype(np.float64),
                cumulative,
                distribution.latency,
                shares,
            )
            for _ in range(_DRAWS // _DRAWS_AT_ONCE)
        ]
    )
    tail = scipy.special.ndtr(np.sqrt(rounds / (rounds - 1)) * scipy.special.stdtrit(rounds - 1, 0.025))
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0, method="nearest")
    return PercentileBounds(low, high)


def _of_drawn_rounds(
    times: FloatArray, cumulative: FloatArray, latency: FloatArray, shares: Sequence[float]
) -> FloatArray:
    """The percentiles (D, S) of rounds together, each counted so many `times` (D, R) in the `cumulative` counts (R, B).

    Bisection over the buckets adds the counts of few buckets, not of all.
    """
    ranks = np.ceil((times @ cumulative[:, -1])[:, np.newaxis] * np.asarray(shares) * (1 - 1e-12))  # as above
    low = np.zeros(ranks.shape, dtype=np.int64)
    high = np.full(ranks.shape, cumulative.shape[1] - 1)
    by_bucket = np.ascontiguousarray(cumulative.T)
    while (low < high).any():
        middle = (low + high) // 2
        reached = np.einsum("dr,dsr->ds", times, by_bucket[middle]) >= ranks
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    return np.asarray(latency[low])


def shown_shares(operations: int, shares: Sequence[float]) -> list[float]:
    """The shares that leave at least `LEAST_BEYOND` slower operations."""
    return [share for share in shares if operations * (1 - share) >= LEAST_BEYOND * (1 - 1e-9)]
