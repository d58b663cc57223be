"""The claims of findings as data: what a sentence says about the cells of a table, which are indices in its grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchagent.formats.vocabulary import METRICS


@dataclass(frozen=True)
class Change:
    """The change of a figure from the cell `against` to `cell`: the ratio of the two and its interval, without 1.

    The figure is of `metric`. The interval holds for the change that the sentence picked: it is simultaneous over all
    from which it could pick.
    """

    cell: int
    against: int
    ratio: float
    low: float
    high: float
    metric: str

    @property
    def higher_is_better(self) -> bool:
        """Whether a larger figure is better."""
        return METRICS[self.metric].higher_is_better

    @property
    def better(self) -> bool:
        """Whether the change is in the good direction."""
        return (self.ratio > 1) == self.higher_is_better


@dataclass(frozen=True)
class RowClaim:
    """A value of the factor differs from the baseline in a metric.

    `better` and `worse` are the counted cells, `changes` the largest change of each side whose size is known.
    `others` maps each description of other cells (equivalent, undecided, …) to their number.
    """

    value: str
    metric: str
    better: Sequence[int]
    worse: Sequence[int]
    changes: Sequence[Change]
    others: dict[str, int]


@dataclass(frozen=True)
class BestClaim:
    """The contests that each value of the factor wins, each by the winner's cell."""

    won: dict[str, Sequence[int]]


@dataclass(frozen=True)
class ShapeClaim:
    """The changes from one turning point to the next on one line along an ordered dimension; none if it is flat.

    `line` are its compared cells, `undecided` those that do not fit, although no test confirms it.
    """

    dimension: str
    value: str
    line: Sequence[int]
    changes: Sequence[Change]
    undecided: Sequence[int]


Claim = RowClaim | BestClaim | ShapeClaim
