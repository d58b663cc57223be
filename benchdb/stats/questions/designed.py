"""Main effects and effects of two factors together, if runs cover the combinations of two-level factors evenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.comparing.multiple_testing import holm
from benchdb.stats.intervals import CONFIDENCE, t_quantile
from benchdb.stats.welch import two_sided_p

LEVEL = 0.05
MOST_FACTORS = 10
FEWEST_DEGREES = 4
MOST_INFLATION = 2.0
"""Of the variance of an effect against a balanced design; above it the runs are no designed campaign."""


@dataclass(frozen=True, slots=True, eq=False)
class DesignedEffects:
    """E effects: of one factor, the logarithm of the second level ÷ the first; of two, how the first's effect changes.

    `terms` are indices of factors. `called` (E,) effects have p corrected by Holm below 5 %; their intervals allow for
    the selection, others have 95 %. `sd` is that of a run with `degrees` of freedom.
    """

    terms: Sequence[tuple[int, ...]]
    log: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    called: BoolArray
    degrees: int
    sd: float
    runs: int


def designed_effects(logs: FloatArray, factors: IntArray, blocks: IntArray) -> DesignedEffects | None:
    """The effects on `logs` (N,) of factors (K, N) with the levels 0 and 1, which blocks (N,) do not change.

    Effects of two factors are left out if the runs cannot separate them or too few degrees of freedom remain. None if
    not even the main effects can be separated, or if nothing varies beside them. docs/statistics.md has the formulas.
    """
    if not 0 < len(factors) <= MOST_FACTORS:
        return None
    single: list[tuple[int, ...]] = [(factor,) for factor in range(len(factors))]
    pairs: list[tuple[int, ...]] = list(combinations(range(len(factors)), 2))
    both = _fitted(logs, factors, blocks, [*single, *pairs]) if pairs else None
    return both or _fitted(logs, factors, blocks, single)


def _fitted(
    logs: FloatArray, factors: IntArray, blocks: IntArray, terms: Sequence[tuple[int, ...]]
) -> DesignedEffects | None:
    signs = 2.0 * factors - 1
    _, block = np.unique(blocks, return_inverse=True)
    of_blocks = (block[:, np.newaxis] == np.arange(block.max() + 1)).astype(np.float64)
    of_terms = np.stack([signs[list(term)].prod(axis=0) for term in terms], axis=1)
    x = np.concatenate([of_terms, of_blocks], axis=1)
    degrees = len(logs) - x.shape[1]
    if degrees < FEWEST_DEGREES or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    inverse = np.linalg.inv(x.T @ x)
    variance = np.diag(inverse)[: len(terms)]
    if len(logs) * variance.max() > MOST_INFLATION:
        return None
    y = logs - logs.mean()
    beta = inverse @ (x.T @ y)
    rest = y - x @ beta
    sd = float(np.sqrt(rest @ rest / degrees))
    if sd <= 1e-12 * float(np.abs(y).max(initial=0.0)):
        return None
    return _effects(terms, beta[: len(terms)], sd * np.sqrt(variance), degrees, sd, len(logs))


def _effects(
    terms: Sequence[tuple[int, ...]], beta: FloatArray, error: FloatArray, degrees: int, sd: float, runs: int
) -> DesignedEffects:
    """Of one factor 2β, which is the difference of its levels; of two 4β, the difference of these differences."""
    scale = np.array([2.0 ** len(term) for term in terms])
    of_all = np.full(len(terms), float(degrees))
    p = two_sided_p(beta / error, of_all)
    adjusted = holm(p)
    called = adjusted < LEVEL
    # False-coverage rate (Benjamini and Yekutieli 2005): the intervals of effects that Holm calls exclude 1.
    of_called = 1 - LEVEL * max(int(called.sum()), 1) / len(terms)
    half = t_quantile(of_all, (1 + np.where(called, of_called, CONFIDENCE)) / 2) * error
    low, high = scale * (beta - half), scale * (beta + half)
    return DesignedEffects(terms, scale * beta, low, high, p, adjusted, called, degrees, sd, runs)
