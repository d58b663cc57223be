"""Change points of a history: the runs at which the level of a series changed for good.

Each day is one point, because the runs of a day share its conditions: the mean of its runs' means, on a logarithmic
scale, because noise and changes multiply. If all runs are of one day, each run is a point. Three steps:

1. Days far from the five around them (Hampel 1974) count as outliers and are set aside, so that an odd day or two
   neither make a change point nor hide one. The answer lists their runs.
2. Candidates: the segmentation of least squared error with a penalty per change point (Yao 1988), found by PELT
   (Killick, Fearnhead and Eckley 2012) of the library ruptures.
3. Each candidate is tested by Student's t between its two segments. p is multiplied by the number of possible
   positions of a change (Bonferroni), because the search considered all of them. The weakest candidate is dropped if it
   fails, its segments are joined, and the rest is tested again. A candidate must also not be a few odd days that follow
   each other by chance, where odd days are frequent.
4. Successive change points whose days a straight line fits better than two levels are a drift: one point, not a step.

The elimination then goes on with stricter tests, and points that are left are `certain`. Successive days may resemble
each other, which few days cannot exclude, so the standard errors allow for as much correlation as is compatible with
the series (`autoregression.py`); and p is corrected for looking at the history after each run. If correlation is
proven, the first tests allow for it too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from .arrays import BoolArray, FloatArray, IntArray, as_column, usable
from .autoregression import Dependence, Noise, dependence, inflation
from .days import beginnings
from .intervals import t_quantile
from .welch import two_sided_p

SMALLEST_SERIES = 6
SMALLEST_SEGMENT = 3
"""One or two different days are outliers until a third follows."""
LEVEL = 0.05
PROVEN = 0.01
"""The level at which the correlation of successive days is proven, as for the rounds of a run."""
LOOKS = 10
"""The factor of p for a history that is looked at after each run. With it 5 % of quiet histories give an alarm at some
time in their first 100 days; found by simulation (tests/bench/statistics/trends.py), as control limits usually are."""
OUTLIER_LIMIT = 4.0
"""In robust standard deviations of the days, from the median of the five around."""
WINDOW = 5
MOST_CANDIDATES = 70
"""Testing them all again after each that is dropped takes the square of their number."""
FLOOR = 1e-4
"""The smallest relative error of a mean; without it, equal figures would make any change certain."""
NORMAL_MAD = 1.482602218505602
"""Standard deviation of a normal distribution ÷ median of the absolute deviations."""


class NoHistory(StrEnum):
    """The reason why a series was not searched."""

    TOO_FEW = "too_few"
    TOO_FEW_DAYS = "too_few_days"
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
    """From run `at` on the level is `ratio` times the one before; 95 % interval, not corrected.

    `p_adjusted` is p corrected for the search. A `certain` point also holds for dependent days, and however often the
    history is looked at. Of a drift, `drift` are its first and its last run, and `ratio` is its change from one to the
    other; `at` is then the first run of those that differ from its beginning.
    """

    at: int
    ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float
    certain: bool
    drift: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class History:
    """Segments and the change points between them, outliers as indices, and the days' noise as a share of the level.

    Indices refer to the given series. `days` is the number of days with a figure. `correlation` is that of successive
    days, `dependent` whether it is proven. If the series was not searched, `reason` is set and there is no segment.
    """

    points: tuple[ChangePoint, ...] = ()
    segments: tuple[Segment, ...] = ()
    outliers: tuple[int, ...] = ()
    noise: float | None = None
    days: int = 0
    correlation: float | None = None
    dependent: bool = False
    reason: NoHistory | None = None


class _Series(NamedTuple):
    """One entry a day: its number, the logarithm of its mean, its error within the runs, its first and its last run."""

    day: IntArray
    level: FloatArray
    error: FloatArray
    first: IntArray
    last: IntArray

    def take(self, which: BoolArray) -> _Series:
        return _Series(self.day[which], self.level[which], self.error[which], self.first[which], self.last[which])


class _FittedLine(NamedTuple):
    """The slope of a line by day, the squared error that it leaves, and the sum of squared distances of the days."""

    slope: float
    squares: float
    squared: float


class _Fit(NamedTuple):
    """A segmentation of the series by `edges`, with the dependence inside its segments."""

    series: _Series
    edges: list[int]
    dependence: Dependence

    @property
    def days(self) -> IntArray:
        """The number of days of each segment."""
        return np.diff(self.edges)

    @property
    def levels(self) -> FloatArray:
        """The mean of each segment."""
        return np.asarray(np.add.reduceat(self.series.level, self.edges[:-1]) / self.days)

    @property
    def dependent(self) -> bool:
        """Whether the correlation of successive days is proven."""
        return self.dependence.p <= PROVEN

    @property
    def noise(self) -> Noise:
        """The noise for the search."""
        return self.dependence.dependent if self.dependent else self.dependence.independent


class _ShiftTests(NamedTuple):
    """The change of logarithms at each candidate, half its 95 % interval, p, and p times the number of positions."""

    change: FloatArray
    half: FloatArray
    p: FloatArray
    p_adjusted: FloatArray


def change_points(
    means: npt.ArrayLike,
    sds: npt.ArrayLike = np.nan,
    ns: npt.ArrayLike = 0,
    days: npt.ArrayLike | None = None,
    *,
    drifts: bool = True,
) -> History:
    """The history of a series of runs in their order.

    `means` is (K,); a run without a mean (NaN) is skipped. `sds` and `ns` (NaN and 0 if unknown) give the error of each
    mean; the noise between days is taken to be at least that. `days` are the numbers of the runs' days (`days_of`);
    without them, or if all are of one day, each run counts as a day. Without `drifts`, a drift is a few steps. Raises
    ValueError if the columns differ in length.
    """
    mean = as_column(means, np.size(means), "means")
    sd, n = as_column(sds, len(mean), "sds"), as_column(ns, len(mean), "ns")
    day = as_column(np.arange(len(mean)) if days is None else days, len(mean), "days")
    positions = np.flatnonzero(usable(mean))
    days_with_figure = len(beginnings(day[positions]))
    if len(positions) < SMALLEST_SERIES:
        return History(days=days_with_figure, reason=NoHistory.TOO_FEW)
    if (mean[positions] <= 0).any():
        return History(reason=NoHistory.NOT_POSITIVE)
    each = day[positions] if days_with_figure > 1 else positions.astype(np.float64)
    every = _by_day(mean[positions], sd[positions], n[positions], each, positions)
    if len(every.level) < SMALLEST_SERIES:
        return History(days=days_with_figure, reason=NoHistory.TOO_FEW_DAYS)
    noise = _noise(every)
    odd = _outside(every.level, noise)
    of_odd = (every.first[odd], every.last[odd])
    outliers = tuple(int(run) for run in positions if ((of_odd[0] <= run) & (run <= of_odd[1])).any())
    series = every.take(~odd)
    if len(series.level) < SMALLEST_SERIES:
        return History(outliers=outliers, noise=noise, days=days_with_figure, reason=NoHistory.TOO_FEW)
    fit = _confirmed(series, _candidates(series.level, noise))
    certain = _confirmed(series, fit.edges[1:-1], LOOKS) if len(fit.edges) > 2 else fit
    chains = _chains(fit, drifts=drifts)
    points = [_drift(fit, chain, certain) if drifting else _point(fit, chain[0], certain) for drifting, chain in chains]
    joined = fit._replace(edges=[0, *(fit.edges[chain[0] + 1] for _, chain in chains), fit.edges[-1]])
    return History(
        tuple(points),
        tuple(_segments(joined)),
        outliers,
        noise,
        days_with_figure,
        certain.dependence.correlation,
        certain.dependent,
    )


def _by_day(mean: FloatArray, sd: FloatArray, n: FloatArray, day: FloatArray, positions: IntArray) -> _Series:
    """The runs of each day as one point; absurd errors count as unknown."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        error = sd / mean / np.sqrt(n)
        squared = np.where(usable(error), error, 0.0) ** 2
    starts = beginnings(day)
    runs = np.diff(starts, append=len(mean))
    return _Series(
        np.arange(len(starts)),
        np.add.reduceat(np.log(mean), starts) / runs,
        np.sqrt(np.add.reduceat(squared, starts)) / runs,
        positions[starts],
        positions[starts + runs - 1],
    )


def _noise(series: _Series) -> float:
    """The robust standard deviation between neighbours; steps affect only few differences, so they do not count."""
    between = NORMAL_MAD * float(np.median(np.abs(np.diff(series.level)))) / math.sqrt(2)
    return max(between, float(np.median(series.error)), FLOOR)


def _outside(logs: FloatArray, noise: float) -> BoolArray:
    """Flags of days far from the median of the five around them; at the ends, of the first or last five."""
    first = np.clip(np.arange(len(logs)) - WINDOW // 2, 0, len(logs) - WINDOW)
    middle = np.median(logs[first[:, np.newaxis] + np.arange(WINDOW)], axis=1)
    return np.asarray(np.abs(logs - middle) > OUTLIER_LIMIT * noise, dtype=bool)


def _candidates(level: FloatArray, noise: float) -> list[int]:
    """The beginnings of segments that each lower the squared error by more than 2·ln K times the noise variance.

    Of more than MOST_CANDIDATES, the one that lowers it least is dropped until so many are left.
    """
    from ruptures import KernelCPD  # imported here: it takes 0.3 s, and only trends need it

    search = KernelCPD(kernel="linear", min_size=SMALLEST_SEGMENT).fit((level - np.median(level))[:, np.newaxis])
    edges = np.array([0, *search.predict(pen=2 * math.log(len(level)) * noise**2)])
    while len(edges) - 2 > MOST_CANDIDATES:
        days = np.diff(edges)
        change = np.diff(np.add.reduceat(level, edges[:-1]) / days)
        edges = np.delete(edges, 1 + np.argmin(change**2 / (1 / days[:-1] + 1 / days[1:])))
    return [int(at) for at in edges[1:-1]]


def _confirmed(series: _Series, breaks: list[int], looks: int = 1) -> _Fit:
    """The segmentation left after the weakest candidate is dropped until all pass their test.

    With several looks the tests are the strict ones.
    """
    kept = list(breaks)
    while True:
        edges = [0, *kept, len(series.level)]
        fit = _Fit(series, edges, dependence(series.level - np.median(series.level), edges))
        noise = fit.noise if looks == 1 else fit.dependence.dependent
        p_adjusted = looks * np.maximum(_tests(fit, noise).p_adjusted, _p_of_odd_days(fit))
        if not kept or p_adjusted.max() <= LEVEL:
            return fit
        del kept[int(np.argmax(p_adjusted))]


def _degrees(fit: _Fit) -> FloatArray:
    return np.array(float(len(fit.series.level) - len(fit.edges) + 1))


def _tests(fit: _Fit, noise: Noise) -> _ShiftTests:
    """Student's t between the segments before and after each candidate."""
    errors, change = _standard_errors(fit, noise), np.diff(fit.levels)
    error = np.hypot(errors[:-1], errors[1:])
    p = two_sided_p(change / error, _degrees(fit))
    places = len(fit.series.level) - 2 * SMALLEST_SEGMENT + 1
    return _ShiftTests(change, t_quantile(_degrees(fit), 0.975) * error, p, p * places)


def _p_of_odd_days(fit: _Fit) -> FloatArray:
    """p that so many odd days follow each other as a segment beside each candidate has, times the number of positions.

    Odd days are as frequent as those set aside elsewhere. Days set aside inside the segment may be the usual ones.
    """
    day, edges = fit.series.day, np.array(fit.edges)
    within = day[edges[1:] - 1] - day[edges[:-1]] + 1
    others = day[-1] + 1 - within
    odd = others - (len(day) - fit.days)
    p = scipy.special.bdtrc(fit.days - 1, within, (odd + 0.5) / (others + 1))
    return np.asarray(np.maximum(p[:-1], p[1:]) * (len(day) - 2 * SMALLEST_SEGMENT + 1))


def _chains(fit: _Fit, *, drifts: bool) -> list[tuple[bool, range]]:
    """The change points: successive ones of a drift together, as many as possible, and each step alone."""
    chains: list[tuple[bool, range]] = []
    start, points = 0, len(fit.edges) - 2
    while start < points:
        ends = range(points, start, -1) if drifts else ()
        end = next((end for end in ends if _is_drift(fit, range(start, end))), None)
        chains.append((end is not None, range(start, end or start + 1)))
        start = chains[-1][1].stop
    return chains


def _is_drift(fit: _Fit, chain: range) -> bool:
    """Whether a straight line describes the segments of these change points better than levels do, each with a place.

    Better is a smaller Schwarz criterion, as of the segmentation (Yao 1988).
    """
    edges = fit.edges[chain.start : chain.stop + 2]
    parts = [fit.series.level[first:last] for first, last in pairwise(edges)]
    of_levels = sum(float(((part - part.mean()) ** 2).sum()) for part in parts)
    of_line = _line(np.concatenate(parts)).squares
    days, more = edges[-1] - edges[0], 2 * len(chain) - 1
    return of_line < max(of_levels, days * FLOOR**2) * math.pow(days, more / days)


def _line(level: FloatArray) -> _FittedLine:
    """The line of least squared error through these days."""
    at = np.arange(len(level)) - (len(level) - 1) / 2
    squared = float((at**2).sum())
    slope = float((at * level).sum()) / squared
    return _FittedLine(slope, float(((level - level.mean() - slope * at) ** 2).sum()), squared)


def _drift(fit: _Fit, chain: range, certain: _Fit) -> ChangePoint:
    """The drift along the segments of these change points; its interval allows for dependent days."""
    first, last = fit.edges[chain[0]], fit.edges[chain[-1] + 2]
    line, days = _line(fit.series.level[first:last]), last - first
    spread = max(math.sqrt(line.squares / (days - 2)), FLOOR)
    correlated = inflation(fit.dependence.dependent.correlation, days)
    half = float(t_quantile(np.array(days - 2.0), 0.975)) * spread * math.sqrt(correlated / line.squared)
    points = [_point(fit, i, certain) for i in chain]
    change, ends = (days - 1) * line.slope, (days - 1) * half
    return replace(
        min(points, key=lambda point: point.p),
        at=points[0].at,
        ratio=_exp(change),
        low=_exp(change - ends),
        high=_exp(change + ends),
        certain=any(point.certain for point in points),
        drift=(int(fit.series.first[first]), int(fit.series.last[last - 1])),
    )


def _standard_errors(fit: _Fit, noise: Noise) -> FloatArray:
    """The standard errors of the segments' means.

    The spread is the largest of three: of the segment, of the whole series about its levels, and within its runs. Three
    days may lie close together by chance, so the spread of a small segment does not suffice.
    """
    starts, days = fit.edges[:-1], fit.days
    within = np.sqrt(np.add.reduceat(fit.series.error**2, starts) / days)
    squares = np.add.reduceat((fit.series.level - np.repeat(fit.levels, days)) ** 2, starts)
    spread = np.maximum(np.maximum(np.sqrt(squares / (days - 1)), within), max(noise.sd, FLOOR))
    return spread * np.sqrt(inflation(noise.correlation, days) / days)


def _point(fit: _Fit, i: int, certain: _Fit) -> ChangePoint:
    tests, strict = _tests(fit, fit.noise), _tests(fit, fit.dependence.dependent)
    return ChangePoint(
        at=int(fit.series.first[fit.edges[i + 1]]),
        ratio=_exp(tests.change[i]),
        low=_exp(strict.change[i] - strict.half[i]),
        high=_exp(strict.change[i] + strict.half[i]),
        p=float(tests.p[i]),
        p_adjusted=min(1.0, float(tests.p_adjusted[i])),
        certain=fit.edges[i + 1] in certain.edges,
    )


def _segments(fit: _Fit) -> Iterator[Segment]:
    halves = t_quantile(_degrees(fit), 0.975) * _standard_errors(fit, fit.dependence.dependent)
    for (start, end), level, half in zip(pairwise(fit.edges), fit.levels, halves, strict=True):
        first, last = int(fit.series.first[start]), int(fit.series.last[end - 1])
        yield Segment(first, last, _exp(level), _exp(level - half), _exp(level + half))


def _exp(logarithm: float) -> float:
    """e to this power; the exponent is limited, so that the result is finite."""
    return math.exp(min(logarithm, 700.0))
