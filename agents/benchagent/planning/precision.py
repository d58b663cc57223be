"""Estimates the precision of the results so far, which ends a plan with a `precision`. See docs/statistics.md.

The quantile of Student's t: Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchagent.documents.records import PointRecord
from benchagent.documents.results import merge

CONFIDENCE = 0.95
FEWEST = 3  # values; two that happen to be equal would look precise
# The metrics that a test is run for. Extreme latencies and the split of CPU time are by-products; they would never
# become so precise, and nobody repeats a test for them.
METRICS = frozenset(
    ("throughput", "rate", "elapsed", "latency_mean", "layout_score", "extents_per_file", "free_extent_size")
)


@dataclass(frozen=True)
class Precision:
    """The precision of a block: `unsettled` of `counted` results are not precise enough; `widest` is the worst one.

    `ratio` is half the width of its interval divided by its mean, infinite if it cannot be computed. `rounds` is the
    expected number of rounds if the values continue to vary as before; None if it cannot be estimated.
    """

    counted: int = 0
    unsettled: int = 0
    widest: str | None = None
    ratio: float = 0.0
    rounds: int | None = None

    @property
    def reached(self) -> bool:
        return self.unsettled == 0


def precision(records: Iterable[PointRecord], wanted: float) -> Precision:
    """The precision of these points' results. A result without any value is left out: more rounds would not help."""
    widths: list[tuple[float, int, str]] = []
    for record in records:
        for result in merge(list(record.rounds)):
            values = [value for value in result.values if value is not None]
            name = f"{record.point.id} {result.test} {result.metric}"
            if values and result.metric in METRICS:
                widths.append((half_width(values), len(values), name))
    if not widths:
        return Precision()
    ratio, count, name = max(widths)
    rounds = math.ceil(count * (ratio / wanted) ** 2) if math.isfinite(ratio) else None
    return Precision(
        counted=len(widths),
        unsettled=sum(ratio > wanted for ratio, _, _ in widths),
        widest=name,
        ratio=ratio,
        rounds=None if rounds is None else max(rounds, FEWEST),
    )


def half_width(values: Sequence[float]) -> float:
    """Half the 95 % interval of the mean divided by the mean; infinite for too few values or a mean of 0."""
    count = len(values)
    if count < FEWEST:
        return math.inf
    mean = math.fsum(values) / count
    half = t_quantile(count - 1) * math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
    if half == 0:
        return 0.0
    return half / abs(mean) if mean else math.inf


@lru_cache(maxsize=1024)
def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The t for which this share of Student's distribution with `freedom` degrees of freedom lies between -t and t."""
    low, high = 0.0, 1.0
    while _within(high, freedom) < confidence:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if _within(middle, freedom) < confidence else (low, middle)


def _within(t: float, freedom: int) -> float:
    """The probability of values between minus and plus `t`."""
    angle = math.atan2(t, math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0 if freedom == 1 else term
    for step in range(2 + odd, freedom - 1, 2):
        term *= cosine**2 * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
