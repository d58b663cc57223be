"""Whether a new day is like the days before it: the prediction interval of one more observation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .intervals import CONFIDENCE, t_quantile

FEWEST_DAYS = 3


class NewDay(NamedTuple):
    """`ratio` is the new day ÷ the geometric mean of the days before; days like them are within `low` and `high`."""

    ratio: float
    low: float
    high: float

    @property
    def is_outside(self) -> bool:
        """Whether the new day differs from the days before."""
        return not self.low <= self.ratio <= self.high


def new_day(before: npt.ArrayLike, new: float) -> NewDay | None:
    """Compare a new figure with the (n,) figures of earlier days, all on a logarithmic scale.

    exp(± t(n − 1) · s · √(1 + 1/n)) contains 95 % of the ratios of one more day (Hahn and Meeker 1991, §4.7). None with
    fewer than three days, or figures of 0 and less.
    """
    figures = np.asarray(before, dtype=float)
    if len(figures) < FEWEST_DAYS or not min(figures.min(), new) > 0:
        return None
    logs = np.log(figures)
    n = len(logs)
    half = float(t_quantile(np.array(n - 1), (1 + CONFIDENCE) / 2)) * float(logs.std(ddof=1)) * (1 + 1 / n) ** 0.5
    return NewDay(float(new / np.exp(logs.mean())), float(np.exp(-half)), float(np.exp(half)))
