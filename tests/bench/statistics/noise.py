"""Kinds of noise of simulated rounds, each standardised to mean 0 and standard deviation 1."""

from collections.abc import Callable, Mapping

import numpy as np

from benchdb.stats.arrays import FloatArray

Draw = Callable[[np.random.Generator, tuple[int, ...]], FloatArray]
"""Draws noise of a shape whose first axis are systems, and the last one rounds."""

MOST_CV = 0.3  # of normal values; with more of them some would be negative


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    return rng.standard_normal(shape)


def _levels(slow: float) -> Draw:
    """Two levels, of which the share `slow` of the rounds has the lower one."""

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        level = np.where(rng.random(shape) < slow, slow - 1, slow) / np.sqrt(slow * (1 - slow))
        return np.asarray((0.3 * rng.standard_normal(shape) + level) / np.sqrt(1.09), dtype=np.float64)

    return draw


def _heavy(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    return rng.standard_t(3, shape) / np.sqrt(3)


def _following(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """A round depends on the one before: AR(1), 0.3."""
    noise = rng.standard_normal(shape)
    for i in range(1, shape[-1]):
        noise[..., i] = 0.3 * noise[..., i - 1] + np.sqrt(1 - 0.3**2) * noise[..., i]
    return noise


def _outliers(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """One value of twenty lies 5 to 10 sd below the others."""
    return np.where(rng.random(shape) < 0.05, -rng.uniform(5, 10, shape), rng.standard_normal(shape))


def _runs(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """All rounds of a cell share half a standard deviation."""
    return rng.standard_normal(shape) + 0.5 * rng.standard_normal((*shape[:-1], 1))


def _rounds(rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
    """All cells of a system share a quarter of the variance of a round."""
    shared = rng.standard_normal((shape[0], *(1 for _ in shape[1:-1]), shape[-1]))
    return np.sqrt(0.75) * rng.standard_normal(shape) + 0.5 * shared


NOISE: Mapping[str, Draw] = {
    "normal": _normal,
    "log-normal": _normal,
    "two levels": _levels(0.5),
    "two levels, 3 to 7": _levels(0.3),
    "heavy tails": _heavy,
    "following rounds": _following,
    "outliers": _outliers,
    "effects of runs": _runs,
    "effects of rounds": _rounds,
}


def values(kind: str, rng: np.random.Generator, shape: tuple[int, ...], cv: FloatArray) -> FloatArray:
    """Values about 1 with this noise: normal ones, otherwise the exponential of the noise."""
    noise = NOISE[kind](rng, shape)
    return 1 + np.minimum(cv, MOST_CV) * noise if kind == "normal" else np.exp(cv * noise)
