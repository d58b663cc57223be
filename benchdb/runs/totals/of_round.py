"""What a round amounts to: the sums and means of its series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from benchagent.formats.sampled import SAMPLED
from benchdb.stats.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class RoundTotals:
    """A successful round: its sums of counters and means of levels by name, in base units.

    `own` are the sums of the tool's series over its tests. `seconds` is the length of the series, `logical_bytes` what
    the tool requested in the round; None if it is unknown.
    """

    number: int
    seconds: float
    logical_bytes: float | None
    of_machine: Mapping[str, float]
    own: Mapping[str, float]


def total_of(name: str, points: FloatArray) -> float:
    """The sum of a counter over its round, or the mean of a level, from its points in base units."""
    return float(points[-1]) if SAMPLED[name].grows else float(np.mean(points))
