"""Series with levels whose noise depends on its predecessor: an AR(1) process, fitted by restricted likelihood.

A point that resembles the one before it says less than an independent one, so the mean of a segment is less certain
than its spread suggests. The correlation is estimated together with the levels of the segments by restricted maximum
likelihood, which allows for the levels being estimated (Patterson and Thompson 1971; for AR(1) Cheang, Reinsel 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy

from .arrays import FloatArray, IntArray

CORRELATIONS = np.linspace(0, 0.95, 39)
"""The possible correlations; negative ones would narrow intervals and are taken to be 0."""
DROP = 0.5
"""The drop of the log-likelihood at the ends of an interval of one standard error (68 %)."""


class Noise(NamedTuple):
    """The standard deviation of points about their levels, and the correlation of each with the one before it."""

    correlation: float
    sd: float


class Dependence(NamedTuple):
    """The noise of a series if its points are independent, and at the upper end of the correlation's 68 % interval.

    `correlation` has the largest likelihood; `p` tests whether there is any.
    """

    correlation: float
    p: float
    independent: Noise
    dependent: Noise


def dependence(series: FloatArray, edges: Sequence[int]) -> Dependence:
    """The dependence in a (K,) series of segments `edges[i]` to `edges[i + 1]`; needs fewer segments than points.

    p is half that of a likelihood ratio test, because the correlation is tested at the end of its range (Self and
    Liang 1987).
    """
    likelihood, squares = restricted_likelihood(series, edges, CORRELATIONS)
    best = int(np.argmax(likelihood))
    bound = int(np.flatnonzero(likelihood >= likelihood[best] - DROP)[-1])
    sds = np.sqrt(squares / (len(series) - len(edges) + 1) / (1 - CORRELATIONS**2))
    noise = [Noise(float(CORRELATIONS[at]), float(sds[at])) for at in (0, bound)]
    p = float(scipy.special.chdtrc(1, 2 * (likelihood[best] - likelihood[0]))) / 2 if best else 1.0
    return Dependence(float(CORRELATIONS[best]), p, *noise)


def restricted_likelihood(
    series: FloatArray, edges: Sequence[int], correlations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The logarithm of the restricted likelihood but for a constant, and the sum of squared innovations, both (G,).

    For each of G correlations φ, series and indicators of the segments are whitened: the first point times √(1 − φ²),
    and each later point less φ times the one before it. The normal equations are tridiagonal, because an indicator
    overlaps only with its neighbours.
    """
    starts = np.asarray(edges[:-1])
    phi = correlations[:, np.newaxis]
    points, segments = len(series), len(starts)
    whitened = np.concatenate([np.sqrt(1 - phi**2) * series[:1], series[1:] - phi * series[:-1]], axis=1)
    weights = np.repeat(1 - phi, points, axis=1)
    weights[:, starts] = 1.0  # the first point of a segment; the one before it belongs to the segment before
    weights[:, :1] = np.sqrt(1 - phi**2)
    sums = np.add.reduceat(weights * whitened, starts, axis=1)
    sums[:, :-1] -= phi * whitened[:, starts[1:]]
    diagonal = np.add.reduceat(weights**2, starts, axis=1)
    diagonal[:, :-1] += phi**2
    normal, here = np.zeros((len(phi), segments, segments)), np.arange(segments)
    normal[:, here, here] = diagonal
    normal[:, here[:-1], here[1:]] = normal[:, here[1:], here[:-1]] = -phi
    levels = np.linalg.solve(normal, sums[..., np.newaxis])[..., 0]
    squares = np.maximum((whitened**2).sum(axis=1) - (sums * levels).sum(axis=1), np.finfo(float).tiny)
    log_determinant = np.linalg.slogdet(normal)[1] - np.log1p(-(correlations**2))
    return -0.5 * ((points - segments) * np.log(squares) + log_determinant), squares


def inflation(correlation: float, points: IntArray | int) -> FloatArray:
    """Variance of the mean of neighbouring points ÷ variance of the mean of independent ones.

    1 + 2 Σ (1 − k/n) φᵏ over k from 1 to n − 1 (Bayley and Hammersley 1946), in closed form.
    """
    rest = (1 - np.power(correlation, points)) / (points * (1 - correlation))
    return np.asarray(1 + 2 * correlation / (1 - correlation) * (1 - rest))
