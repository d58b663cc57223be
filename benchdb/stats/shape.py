"""The shape of a surface: steps between neighbouring lines, and lines unlike both neighbours (docs/statistics.md)."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from .arrays import FloatArray, IntArray, divide
from .intervals import CONFIDENCE, mean_interval

LEAST = 1.5
"""Only ratios whose whole interval is beyond this factor are stated: smaller steps are not worth a sentence."""
FEWEST = 3
"""A ratio needs at least so many rounds or, with fewer rounds, so many places of its line."""


class LineRatio(NamedTuple):
    """A line ÷ the line before it, or an `outlying` line ÷ the geometric mean of both its neighbours.

    `line` is its index among the rows (`axis` 0) or columns (1). All intervals of a surface hold together. The mean is
    over `places` of the line.
    """

    axis: int
    line: int
    outlying: bool
    ratio: float
    low: float
    high: float
    places: int


def shape(values: FloatArray) -> list[LineRatio]:
    """The largest step between rows, and the row and the column furthest from both neighbours, as far as there are any.

    `values` are (rows, columns, rounds), NaN where nothing was measured. The sample of a ratio are its means in each
    round, or, with fewer than three rounds, its means at each place of the line; Student's t on logarithms, and
    Bonferroni's correction for all ratios of the surface.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.where(values > 0, values, np.nan))
    level = (1 - CONFIDENCE) / max(1, 2 * sum(values.shape[:2]) - 6)
    rows, columns = _beyond(0, logs, 1 - level), _beyond(1, logs.swapaxes(0, 1), 1 - level)
    outlying = {each.line for each in rows if each.outlying}
    # The step into an outlying row and the one out of it are said with the row.
    steps = [each for each in rows if not each.outlying and not outlying & {each.line, each.line - 1}]
    kinds = (steps, [each for each in rows if each.outlying], [each for each in columns if each.outlying])
    return [max(kind, key=lambda each: abs(np.log(each.ratio))) for kind in kinds if kind]


def _beyond(axis: int, logs: FloatArray, confidence: float) -> list[LineRatio]:
    """The ratios of neighbours beyond `LEAST`, and those of lines that are beyond both neighbours in one direction."""
    differences = logs[1:] - logs[:-1]
    to_both = (differences[:-1] - differences[1:]) / 2
    steps, lines = _means(differences, confidence), _means(to_both, confidence)
    side = (steps[1] > np.log(LEAST)).astype(int) - (steps[2] < -np.log(LEAST))
    outlying = np.flatnonzero((side[:-1] != 0) & (side[:-1] == -side[1:])).tolist()
    return [
        LineRatio(axis, at + 1, of is lines, exp(of[0][at]), exp(of[1][at]), exp(of[2][at]), int(of[3][at]))
        for of, places in ((steps, np.flatnonzero(side).tolist()), (lines, outlying))
        for at in places
    ]


def _means(logs: FloatArray, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
    """Mean, interval and number of places of each line of (lines, places, rounds); NaN for too small a sample."""
    known = np.isfinite(logs)
    if logs.shape[2] >= FEWEST:
        whole = np.isfinite(logs.sum(axis=2))
        places = whole.sum(axis=1)
        sample = divide(np.where(whole[:, :, np.newaxis], logs, 0).sum(axis=1), places[:, np.newaxis])
        n = np.where(places > 0, logs.shape[2], 0)
    else:
        sample = divide(np.where(known, logs, 0).sum(axis=2), known.sum(axis=2))
        n = places = known.any(axis=2).sum(axis=1)
    mean = divide(np.nansum(sample, axis=1), n)
    sd = np.sqrt(divide(np.nansum((sample - mean[:, np.newaxis]) ** 2, axis=1), n - 1))
    enough = np.where(n >= FEWEST, 0, np.nan)
    return mean, *(end + enough for end in mean_interval(n, mean, sd, confidence)), places
