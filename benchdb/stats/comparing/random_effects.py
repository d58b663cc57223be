"""Effects on several machines or in several runs, as a random sample of all on which they could be measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, as_matrix, divide, usable
from benchdb.stats.intervals import CONFIDENCE, Interval, t_quantile

MOST_STEPS = 100
FEWEST_TO_PREDICT = 3
SMALLEST_ERROR = 1e-12
"""As a share of the largest effect: no smaller one is left in floating point."""


class RandomEffects(NamedTuple):
    """Columns of length G, NaN for figures that do not exist.

    `effects` is the number of effects, `mean` their mean and `interval` its 95 % interval. `between_sd` is the standard
    deviation of the true effects. `prediction` is the interval in which the effect that is measured on another machine
    is expected with 95 %; it exists from three effects on.
    """

    effects: IntArray
    mean: FloatArray
    interval: Interval
    between_sd: FloatArray
    prediction: Interval


def random_effects(effects: npt.ArrayLike, errors: npt.ArrayLike) -> RandomEffects:
    """The mean and the spread of (G, k) effects with these standard errors, each row for itself.

    NaN: no such effect. An effect without an error above 0 is left out. The variance between the true effects is that
    of Paule and Mandel (1982), the interval that of Hartung and Knapp (2001) with t of k − 1 degrees of freedom; their
    factor is at least 1 (Röver, Knapp and Friede 2015), so that effects which agree by chance do not narrow it. The
    prediction interval is mean ± t·√(τ² + SE² + v) (Higgins, Thompson and Spiegelhalter 2009; IntHout et al. 2016) with
    v, the mean of the squared errors, for a measurement as precise as these. ValueError if the shapes differ.
    """
    y, sd = as_matrix(effects), as_matrix(errors)
    if y.shape != sd.shape:
        raise ValueError(f"effects and errors have different shapes: {y.shape}, {sd.shape}")
    counted = usable(y) & usable(sd) & (sd > 0)
    count = counted.sum(axis=1, dtype=np.int64)
    # In units of the largest figure, so that squares stay in the range of floating point.
    unit = np.where(counted, np.maximum(np.abs(y), sd), 0.0).max(axis=1, initial=0.0)[:, np.newaxis]
    y, sd = (np.where(counted, divide(np.where(counted, figures, 0.0), unit), 0.0) for figures in (y, sd))
    variance = np.where(counted, np.maximum(sd, SMALLEST_ERROR) ** 2, 1.0)
    between = _between(y, variance, counted, count)
    mean, total, squares = _weighted(y, variance, counted, between)
    error = np.sqrt(divide(np.maximum(divide(squares, count - 1), 1.0), total))
    quantile = t_quantile(count - 1, (1 + CONFIDENCE) / 2)
    several = np.where(count > 1, unit[:, 0], np.nan)
    typical = divide(np.where(counted, variance, 0.0).sum(axis=1), count)
    spread = np.where(count >= FEWEST_TO_PREDICT, np.sqrt(between + error**2 + typical), np.nan)
    mean, half, predicted = mean * several, several * quantile * error, several * quantile * spread
    return RandomEffects(
        count,
        mean,
        Interval(mean - half, mean + half),
        np.sqrt(between) * several,
        Interval(mean - predicted, mean + predicted),
    )


class _Weighted(NamedTuple):
    mean: FloatArray
    total: FloatArray
    squares: FloatArray


def _weighted(y: FloatArray, variance: FloatArray, counted: BoolArray, between: FloatArray) -> _Weighted:
    """The mean with weights 1/(variance + between), the sum of the weights, and the weighted sum of squares."""
    weights = np.where(counted, 1 / (variance + between[:, np.newaxis]), 0.0)
    total = weights.sum(axis=1)
    mean = divide((weights * y).sum(axis=1), total)
    return _Weighted(mean, total, (weights * (y - mean[:, np.newaxis]) ** 2).sum(axis=1))


def _between(y: FloatArray, variance: FloatArray, counted: BoolArray, count: IntArray) -> FloatArray:
    """τ² with Σ w(y − mean)² = k − 1, w = 1/(variance + τ²); 0 if the sum is smaller without any τ².

    The sum is convex and falls with τ², so Newton's method from a smaller τ² never passes the solution (DerSimonian and
    Kacker 2007). It begins where equal weights of the largest variance would have it, which is never too large.
    """
    centre = divide(y.sum(axis=1), count)
    sample = divide((np.where(counted, y - centre[:, np.newaxis], 0.0) ** 2).sum(axis=1), count - 1)
    between = np.maximum(np.nan_to_num(sample - np.where(counted, variance, 0.0).max(axis=1, initial=0.0)), 0.0)
    for _ in range(MOST_STEPS):
        mean, _, squares = _weighted(y, variance, counted, between)
        weights = np.where(counted, 1 / (variance + between[:, np.newaxis]), 0.0)
        slope = ((weights * (y - mean[:, np.newaxis])) ** 2).sum(axis=1)
        further = np.maximum(np.nan_to_num(divide(squares - (count - 1), slope)), 0.0)
        if np.all(further <= 1e-15 * between):
            break
        between = between + further
    return np.asarray(between, dtype=np.float64)
