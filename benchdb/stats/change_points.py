"""Change points of a history: the runs at which the level of a series changed for good.

Each run is one point: its mean, on a logarithmic scale, because noise and changes multiply. Three steps:

1. Runs far from the five around them (Hampel 1974) count as outliers and are set aside, so that an odd run or two
   neither make a change point nor hide one. The answer lists them.
2. Candidates: the segmentation of least squared error with a penalty per change point (Yao 1988), found by PELT
   (Killick, Fearnhead and Eckley 2012) of the library ruptures.
3. Each candidate is tested by Student's t between its two segments. p is multiplied by the number of possible
   positions of a change (Bonferroni), because the search considered all of them. The weakest candidate is dropped if it
   fails, its segments are joined, and the rest is tested again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import BoolArray, FloatArray, as_column, usable
from .intervals import t_quantile
from .welch import two_sided_p

SMALLEST_SERIES = 6
SMALLEST_SEGMENT = 3
"""One or two different runs are outliers until a third follows."""
LEVEL = 0.05
OUTLIER_LIMIT = 4.0
"""In robust standard deviations of the runs, from the median of the five around."""
WINDOW = 5
FLOOR = 1e-4
"""The smallest relative error of a mean; without it, equal figures would make any change certain."""
NORMAL_MAD = 1.482602218505602
"""Standard deviation of a normal distribution ÷ median of the absolute deviations."""


class NoHistory(StrEnum):
    """The reason why a series was not searched."""

    TOO_FEW = "too_few"
    NOT_POSITIVE = "not_positive"


@dataclass(frozen=True, slots=True)
class Segment:
    """Runs `first` to `last` with one level: the geometric mean of their means, and its 95 % interval."""

    first: int
    last: int
    level: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """From run `at` on the level is `ratio` times the one before; 95 % interval, not corrected; `p` corrected in
    `p_adjusted`."""

    at: int
    ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class History:
    """Segments and the change points between them, outliers as indices, and the runs' noise as a share of the level.

    Indices refer to the given series. If it was not searched, `reason` is set and there is no segment.
    """

    points: tuple[ChangePoint, ...] = ()
    segments: tuple[Segment, ...] = ()
    outliers: tuple[int, ...] = ()
    noise: float | None = None
    reason: NoHistory | None = None


class _Series(NamedTuple):
    """Logarithms of the means, and the standard error of each within its run."""

    level: FloatArray
    error: FloatArray


class _ShiftTest(NamedTuple):
    """The change of logarithms at a candidate, half the width of its 95 % interval, p, and p for all positions."""

    change: float
    half: float
    p: float
    p_adjusted: float


def change_points(means: npt.ArrayLike, sds: npt.ArrayLike = np.nan, ns: npt.ArrayLike = 0) -> History:
    """The history of a series of runs in their order.

    `means` is (K,); a run without a mean (NaN) is skipped. `sds` and `ns` (NaN and 0 if unknown) give the error of each
    mean; the noise between runs is taken to be at least that. Raises ValueError if the columns differ in length.
    """
    mean = as_column(means, np.size(means), "means")
    sd, n = as_column(sds, len(mean), "sds"), as_column(ns, len(mean), "ns")
    positions = np.flatnonzero(usable(mean))
    if len(positions) < SMALLEST_SERIES:
        return History(reason=NoHistory.TOO_FEW)
    mean, sd, n = mean[positions], sd[positions], n[positions]
    if (mean <= 0).any():
        return History(reason=NoHistory.NOT_POSITIVE)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        error = sd / mean / np.sqrt(n)
        error = np.where(usable(error), error, 0.0)  # absurd errors count as unknown
    logs = np.log(mean)
    noise = _noise(logs, error)
    odd = _outside(logs, noise)
    outliers = tuple(positions[odd].tolist())
    positions, series = positions[~odd], _Series(logs[~odd], error[~odd])
    if len(positions) < SMALLEST_SERIES:
        return History(outliers=outliers, noise=noise, reason=NoHistory.TOO_FEW)
    breaks = _confirmed(series, _candidates(series.level, noise))
    edges = [0, *breaks, len(positions)]
    return History(
        tuple(_point(series, edges, i, int(positions[at])) for i, at in enumerate(breaks)),
        tuple(_segment(series, edges, i, positions) for i in range(len(edges) - 1)),
        outliers,
        noise,
    )


def _noise(logs: FloatArray, error: FloatArray) -> float:
    """The robust standard deviation between neighbours; steps affect only few differences, so they do not count."""
    between = NORMAL_MAD * float(np.median(np.abs(np.diff(logs)))) / math.sqrt(2)
    return max(between, float(np.median(error)), FLOOR)


def _outside(logs: FloatArray, noise: float) -> BoolArray:
    """Flags of runs far from the median of the five around them; at the ends, of the first or last five."""
    first = np.clip(np.arange(len(logs)) - WINDOW // 2, 0, len(logs) - WINDOW)
    middle = np.median(logs[first[:, np.newaxis] + np.arange(WINDOW)], axis=1)
    return np.asarray(np.abs(logs - middle) > OUTLIER_LIMIT * noise, dtype=bool)


def _candidates(level: FloatArray, noise: float) -> list[int]:
    """The beginnings of segments that each lower the squared error by more than 2·ln K times the noise variance."""
    from ruptures import KernelCPD  # imported here: it takes 0.3 s, and only trends need it

    search = KernelCPD(kernel="linear", min_size=SMALLEST_SEGMENT).fit((level - np.median(level))[:, np.newaxis])
    return [int(at) for at in search.predict(pen=2 * math.log(len(level)) * noise**2)[:-1]]


def _confirmed(series: _Series, breaks: list[int]) -> list[int]:
    """The candidates left after the weakest is dropped until all pass their test."""
    kept = list(breaks)
    while kept:
        edges = [0, *kept, len(series.level)]
        p_values = [_test(series, edges, i).p for i in range(len(kept))]
        weakest = int(np.argmax(p_values))
        if p_values[weakest] * _places(series) <= LEVEL:
            break
        del kept[weakest]
    return kept


def _places(series: _Series) -> int:
    """The number of runs at which a segment could begin."""
    return len(series.level) - 2 * SMALLEST_SEGMENT + 1


def _test(series: _Series, edges: list[int], i: int) -> _ShiftTest:
    """Student's t between the segments before and after `edges[i + 1]`."""
    before, after = slice(edges[i], edges[i + 1]), slice(edges[i + 1], edges[i + 2])
    degrees = np.array(float(len(series.level) - len(edges) + 1))
    error = math.hypot(_standard_error(series, edges, before), _standard_error(series, edges, after))
    change = float(series.level[after].mean() - series.level[before].mean())
    p = float(two_sided_p(np.array(change / error), degrees))
    half = float(t_quantile(degrees, 0.975)) * error
    return _ShiftTest(change, half, p, min(1.0, p * _places(series)))


def _standard_error(series: _Series, edges: list[int], part: slice) -> float:
    """The standard error of a segment's mean.

    The spread is the largest of three: of the segment, of all segments pooled, and within its runs. Three runs may lie
    close together by chance, so the spread of a small segment does not suffice.
    """
    levels, errors = series.level[part], series.error[part]
    squares = sum(((series.level[a:b] - series.level[a:b].mean()) ** 2).sum() for a, b in pairwise(edges))
    pooled = math.sqrt(squares / (len(series.level) - len(edges) + 1))
    within = math.sqrt(float((errors**2).mean()))
    return max(float(levels.std(ddof=1)), pooled, within, FLOOR) / math.sqrt(len(levels))


def _point(series: _Series, edges: list[int], i: int, at: int) -> ChangePoint:
    test = _test(series, edges, i)
    low, high = _exp(test.change - test.half), _exp(test.change + test.half)
    return ChangePoint(at, _exp(test.change), low, high, test.p, test.p_adjusted)


def _segment(series: _Series, edges: list[int], i: int, places: npt.NDArray[np.intp]) -> Segment:
    runs = slice(edges[i], edges[i + 1])
    degrees = np.array(float(len(series.level) - len(edges) + 1))
    half = float(t_quantile(degrees, 0.975)) * _standard_error(series, edges, runs)
    level = float(series.level[runs].mean())
    first, last = int(places[edges[i]]), int(places[edges[i + 1] - 1])
    return Segment(first, last, _exp(level), _exp(level - half), _exp(level + half))


def _exp(logarithm: float) -> float:
    """e to this power; the exponent is limited, so that the result is finite."""
    return math.exp(min(logarithm, 700.0))
