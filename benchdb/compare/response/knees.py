"""The knee of a curve in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchdb.stats import matrix
from benchdb.stats.knee import LEAST_LEVELS, NoKnee, knee, powers

from .content import ResponseKnee, ResponsePoint

DELETED = "deleted"


def knee_of(points: Sequence[ResponsePoint]) -> ResponseKnee:
    """The knee of the complete points of a curve, which are in the order of their levels."""
    places = [i for i, point in enumerate(points) if point.complete]
    pairs = [(points[i].throughput, points[i].latency) for i in places]
    cells = [cell for pair in zip(*pairs, strict=True) for cell in pair]
    values = matrix([(cell.values if cell is not None else None) or [] for cell in cells])  # in one array: of one width
    found = knee(powers(*np.split(values, 2)))
    if found.at is None or found.low is None or found.high is None:
        reason = found.reason or NoKnee.STRAIGHT
        return ResponseKnee(None, None, None, reason.value, _no_knee(reason, [points[i] for i in places]))
    at, low, high = places[found.at], places[found.low], places[found.high]
    text = f"knee at {points[at].label} (95 % interval: {_range(points[low].label, points[high].label)})."
    return ResponseKnee(at, low, high, None, text)


def without_knee() -> ResponseKnee:
    """The place of the knee of a curve that lost a run."""
    text = "a run of this curve was deleted, and with it the knee, which had rested on all levels."
    return ResponseKnee(None, None, None, DELETED, text)


def _no_knee(reason: NoKnee, points: Sequence[ResponsePoint]) -> str:
    if reason is NoKnee.FEW_LEVELS:
        return f"no knee is sought: {len(points)} levels, and {LEAST_LEVELS} are needed."
    if reason is NoKnee.FEW_ROUNDS:
        return "no knee is sought: a level has fewer than two rounds."
    if reason is NoKnee.NO_SPREAD:
        return "no knee is sought: the rounds do not vary at all."
    first, last = points[0].label, points[-1].label
    if reason is NoKnee.NOT_REACHED:
        return f"no knee up to {last}: more load may still pay there. Measure higher levels."
    if reason is NoKnee.PASSED:
        return f"no knee from {first} on: more load mostly waits from there. Measure lower levels."
    return f"no knee between {first} and {last}: throughput ÷ latency differs too little from level to level."


def _range(low: str, high: str) -> str:
    """`4 to 16 threads`, `depth 4 to 16`: the noun once."""
    one, other = low.split(), high.split()
    if len(one) == len(other) == 2 and one[0] == other[0]:
        return f"{low} to {other[1]}"
    if len(one) == len(other) == 2 and one[1].removesuffix("s") == other[1].removesuffix("s"):
        return f"{one[0]} to {high}"
    return f"{low} to {high}"
