"""Intervals of ratios and shares as the server draws them."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

import numpy as np

from benchdb.components.neighbours import MARGIN, WIDTH, RatioPlot

SMALLEST_HALF, LARGEST_HALF = log(1.05), log(100)


def half_axis(ratios: Iterable[float | None]) -> float:
    """Half of the common axis of these ratios, as a logarithm."""
    logs = [abs(log(ratio)) for ratio in ratios if ratio]
    return min(max(SMALLEST_HALF, 1.15 * max(logs, default=0.0)), LARGEST_HALF)


def ratio_plot(ratio: float, low: float | None, high: float | None, half: float) -> RatioPlot:
    """A ratio with its interval on an axis of ratios around 1."""
    whole = low is not None and high is not None
    logs = np.log([ratio, low or ratio, high or ratio])
    x = (WIDTH / 2) * (1 + np.clip(logs / half, -1, 1) * (1 - 2 * MARGIN / WIDTH))
    dot, first, last = np.round(x, 1).tolist()
    return RatioPlot(dot, (first, last) if whole else None, beyond=abs(log(ratio)) > half)


def share_plot(share: float, low: float | None, high: float | None) -> RatioPlot:
    """A share with its interval on an axis from 0 to 1."""
    whole = low is not None and high is not None
    x = MARGIN + np.array([share, low or 0.0, high or 0.0]) * (WIDTH - 2 * MARGIN)
    dot, first, last = np.round(x, 1).tolist()
    return RatioPlot(dot, (first, last) if whole else None, one=float(MARGIN))
