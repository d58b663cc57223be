"""The figures of a summary in plain NumPy and SciPy: the reference for the cost of summarising.

Only for complete rows of distinct, finite values. Nothing is checked and there are no warnings.
"""

import numpy as np
from scipy import special, stats

from benchdb.stats.arrays import FloatArray
from benchdb.stats.summary.drift import _inversions_cumulative
from benchdb.stats.summary.modes import modes


def bare(values: FloatArray, *, with_modes: bool) -> list[FloatArray]:
    """Every figure of `SummaryRow` for a (R, n) array, except the known distribution of Kendall's S.

    Neither NumPy nor SciPy has the dip of many rows: with `with_modes`, both sides of the ratio use our own.
    """
    n = values.shape[1]
    mean, sd = values.mean(axis=1), values.std(axis=1, ddof=1)
    ordered = np.sort(values, axis=1)
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75], axis=1)
    half = stats.t.ppf(0.975, n - 1) * sd / np.sqrt(n)
    k = int(stats.binom.ppf(0.025, n, 0.5))
    figures = [mean, sd, sd / np.abs(mean), median, values.min(axis=1), values.max(axis=1)]
    figures += [mean - half, mean + half, ordered[:, k - 1], ordered[:, n - k]]
    for fence in (1.5, 3.0):
        reach = fence * (high - low)
        figures.append((values < (low - reach)[:, np.newaxis]) | (values > (high + reach)[:, np.newaxis]))
    figures += _drift(values, mean) + _autocorrelation(values, mean)
    if with_modes:
        figures += modes(ordered, np.full(len(values), n))
    return figures


def _drift(values: FloatArray, mean: FloatArray) -> list[FloatArray]:
    n = values.shape[1]
    first, second = np.triu_indices(n, 1)
    score = np.sign(values[:, second] - values[:, first]).sum(axis=1)
    pairs = n * (n - 1) / 2
    p = 2 * _inversions_cumulative(n)[((pairs - np.abs(score)) // 2).astype(int)]
    rounds = np.arange(n) - (n - 1) / 2
    slope = (values - mean[:, np.newaxis]) @ rounds / (rounds @ rounds)
    return [score / pairs, np.minimum(p, 1), slope * (n - 1) / np.abs(mean)]


def _autocorrelation(values: FloatArray, mean: FloatArray) -> list[FloatArray]:
    n = values.shape[1]
    deviations = values - mean[:, np.newaxis]
    squared = deviations**2
    squares = squared.sum(axis=1)
    r = (deviations[:, 1:] * deviations[:, :-1]).sum(axis=1) / squares
    b = (squared**2).sum(axis=1) / squares**2
    variance = (1 - b) / n + (1 - 2 * b) / (n * (n - 1)) - 1 / n**2
    return [r, 2 * special.ndtr(-np.abs((r + 1 / n) / np.sqrt(variance)))]
