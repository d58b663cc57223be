"""The distribution of a result on its page: percentile curves of the rounds, and a table of percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np

from benchdb.stats.distributions.percentiles import (
    LEAST_BEYOND,
    LEAST_ROUNDS,
    Distribution,
    PercentileBounds,
    distribution_of,
    evenly,
    interval,
    percentiles,
    shown_shares,
    together,
    with_histogram,
)
from benchdb.wording.numbers import say_number
from benchdb.wording.units import UNITS, Unit, default_unit

from .axis import HEIGHT, WIDTH, axes_for
from .reading import PackedRounds

SHARES = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999)
MOST_ROUNDS_DRAWN = 30
LEAST_LATENCY = 1e-9  # seconds: the axis is logarithmic, and tools count in ns

UNIT = UNITS[default_unit("latency_mean")]


def distribution_section(packed: PackedRounds) -> dict[str, object]:
    """The section for the distributions of a result; at least one round has one."""
    distribution = distribution_of(packed)
    operations = int(distribution.operations.sum())
    shares = shown_shares(operations, SHARES) or [SHARES[0]]
    intervals = interval(distribution, shares)
    drawn = evenly(len(distribution.rounds), MOST_ROUNDS_DRAWN)
    # The context of runs/distribution.html; `left_out` rounds have a distribution that neither plot nor table
    # has.
    return {
        "unit": UNIT.name,
        "operations": say_number(operations, 0),
        "left_out": len(with_histogram(packed)) - len(distribution.rounds),
        "round_count": len(distribution.rounds),
        "drawn": len(drawn),
        "curves": _curves(distribution, drawn),
        "rows": _rows(distribution, shares, intervals),
        "greatest": say_latency(float(distribution.latency[-1])),
        "least_beyond": LEAST_BEYOND,
        "least_rounds": LEAST_ROUNDS,
        "with_intervals": intervals is not None,
    }


def _curves(distribution: Distribution, drawn: Sequence[int]) -> dict[str, object]:
    latency = np.maximum(distribution.latency, LEAST_LATENCY)
    most = max(log10(int(distribution.operations.sum())), 1.0)
    axes = axes_for((float(latency[0]), float(latency[-1])), most)
    # The plot of runs/distribution.html: a path for each drawn round, and one for all rounds together.
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "rounds": [axes.path(distribution.counts[i : i + 1], latency) for i in drawn],
        "together": axes.path(distribution.counts.sum(axis=0, keepdims=True), latency),
        "shares": axes.shares(),
        "latencies": axes.latencies(),
        "grid": axes.grid(),
    }


def _rows(
    distribution: Distribution, shares: Sequence[float], intervals: PercentileBounds | None
) -> list[dict[str, object]]:
    of_rounds = percentiles(distribution.counts, distribution.latency, shares)
    # A percentile: of all rounds together with its interval (None with too few rounds), and of single rounds.
    return [
        {
            "share": f"{100 * share:.10g} %",
            "together": say_latency(figure),
            "interval": None if intervals is None else say_bounds(intervals, i),
            "least": say_latency(of_rounds[:, i].min()),
            "most": say_latency(of_rounds[:, i].max()),
        }
        for i, (share, figure) in enumerate(zip(shares, together(distribution, shares), strict=True))
    ]


def say_bounds(bounds: PercentileBounds, i: int) -> str:
    """The interval of percentile `i` in the shown unit."""
    return f"{say_latency(bounds.low[i])} to {say_latency(bounds.high[i])}"


def say_latency(seconds: float, unit: Unit = UNIT) -> str:
    """Three digits, which is what the buckets resolve."""
    figure = float(seconds) / unit.per
    return say_number(figure, max(0, 2 - int(np.floor(np.log10(figure)))) if figure > 0 else 0)
