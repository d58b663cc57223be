"""The rise or fall of a result over its rounds: Kendall's test for the direction, a straight line for the size."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.ordering import tie_sizes

SMALLEST_N = 3
EXACT_UP_TO = 100
"""Above this the normal approximation of p errs by less than 0.001, and in the tail towards calling no drift."""
LAGS_UP_TO = 1000
"""Rounds up to which comparing all pairs is faster for many rows at once than counting row by row."""


class Drift(NamedTuple):
    """Columns of length R, NaN if n < 3 or all values are equal.

    `tau` is Kendall's τ-b between round and value, `p` its two-sided p-value, `change` the rise of the
    least-squares line from the first to the last measured round as a share of the mean (−0.1: 10 % down).
    """

    tau: FloatArray
    p: FloatArray
    change: FloatArray


def drift(values: FloatArray, ordered: FloatArray, n: IntArray, mean: FloatArray) -> Drift:
    """Mann–Kendall test for trend (Mann 1945, Kendall 1975) on each row of a (R, n) array in order of the rounds."""
    tied = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    tied_pairs = np.zeros(len(n))
    tied_pairs[tied] = (tie_sizes(ordered[tied]) - 1).sum(axis=1) / 2
    pairs = n * (n - 1) / 2
    score = _score(values, pairs - tied_pairs)
    fit = (n >= SMALLEST_N) & (pairs > tied_pairs)
    tau = divide(score.astype(np.float64), np.sqrt(pairs * (pairs - tied_pairs)))
    exact = fit & ~tied & (n <= EXACT_UP_TO)
    p = _exact_p(score, n, exact)
    rest = fit & ~exact
    p[rest] = _normal_p(score[rest], n[rest], tie_sizes(ordered[rest]))
    return Drift(*(np.where(fit, column, np.nan) for column in (tau, p, _change(values, n, mean))))


def _score(values: FloatArray, pairs: FloatArray) -> IntArray:
    """The number of rising pairs of rounds less that of falling pairs.

    `pairs` (R,) is n(n − 1)/2 less the tied pairs.
    """
    if values.shape[1] > LAGS_UP_TO:
        return np.array(
            [_score_of_many(row[~np.isnan(row)], of_row) for row, of_row in zip(values, pairs, strict=True)]
        )
    by_round = np.ascontiguousarray(values.T)  # sums over rounds are much faster along the first axis
    score = np.zeros(len(values), dtype=np.int64)
    for lag in range(1, len(by_round)):  # lag by lag, to save memory
        later, earlier = by_round[lag:], by_round[:-lag]
        score += (later > earlier).sum(axis=0) - (later < earlier).sum(axis=0)
    return score


def _score_of_many(values: FloatArray, untied: float) -> int:
    """The score of one row in n log n steps: each pair that is not tied rises or falls."""
    return round(untied) - 2 * _falling_pairs(np.unique(values, return_inverse=True)[1])


def _falling_pairs(ranks: IntArray) -> int:
    """The number of pairs whose earlier rank is the greater one, counted while pairs of sorted blocks are merged."""
    n = len(ranks)
    blocks = np.full((1 << max(n - 1, 0).bit_length(), 1), n)  # filled up with ranks above all, at the end
    blocks[:n, 0] = ranks
    falling = 0
    while len(blocks) > 1:
        left, right = blocks[0::2], blocks[1::2]
        pair = np.arange(len(left))[:, np.newaxis]
        apart = pair * (n + 1)  # moves the ranks of different pairs apart, so that one search serves all
        smaller = np.searchsorted((right + apart).ravel(), left + apart) - pair * right.shape[1]
        falling += int(smaller.sum())
        blocks = np.sort(blocks.reshape(len(left), -1), axis=1, kind="stable")
    return falling


def _normal_p(score: IntArray, n: IntArray, ties: IntArray) -> FloatArray:
    """Normal approximation with Kendall's correction for ties and the continuity correction of one."""
    of_ties = ((ties - 1) * (2 * ties + 5)).sum(axis=1)
    variance = (n * (n - 1) * (2 * n + 5) - of_ties) / 18
    z = divide(np.maximum(np.abs(score) - 1.0, 0.0), np.sqrt(np.maximum(variance, 0.0)))
    p: FloatArray = 2 * scipy.special.ndtr(-z)
    return p


def _exact_p(score: IntArray, n: IntArray, wanted: BoolArray) -> FloatArray:
    p = np.full(len(score), np.nan)
    for size in np.unique(n[wanted]).tolist():
        of_size = wanted & (n == size)
        inversions = (size * (size - 1) // 2 - np.abs(score[of_size])) // 2
        p[of_size] = np.minimum(2 * _inversions_cumulative(size)[inversions], 1.0)
    return p


@lru_cache(maxsize=EXACT_UP_TO)
def _inversions_cumulative(n: int) -> FloatArray:
    """P(at most k inversions) for k = 0 … n(n − 1)/2 in a random order of n different values."""
    probabilities = np.ones(1)
    for size in range(2, n + 1):
        probabilities = np.convolve(probabilities, np.full(size, 1 / size))
    return np.cumsum(probabilities)


def _change(values: FloatArray, n: IntArray, mean: FloatArray) -> FloatArray:
    present = ~np.isnan(values)
    rounds = np.arange(values.shape[1], dtype=np.float64)
    centre = divide((present * rounds).sum(axis=1), n)
    offsets = np.where(present, rounds - centre[:, np.newaxis], 0.0)
    residuals = np.where(present, values - mean[:, np.newaxis], 0.0)
    slope = divide((offsets * residuals).sum(axis=1), (offsets**2).sum(axis=1))
    return divide(slope * (offsets.max(axis=1, initial=0) - offsets.min(axis=1, initial=0)), np.abs(mean))
