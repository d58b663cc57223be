"""The claims of findings as data: what a sentence says about the cells of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .table_cells import MeasuredCell


@dataclass(frozen=True)
class Change:
    """The change of a figure from `against` to `entry`: the ratio of the two and its interval, without 1.

    The interval holds for the change that the sentence picked: it is simultaneous over all from which it could pick.
    """

    entry: MeasuredCell
    against: MeasuredCell
    ratio: float
    low: float
    high: float

    @property
    def better(self) -> bool:
        """Whether the change is in the good direction."""
        return (self.ratio > 1) == self.entry.measure.higher_is_better


@dataclass(frozen=True)
class RowClaim:
    """A value of the factor differs from the baseline in a metric; cells by key.

    `better` and `worse` are the counted cells, `changes` the largest change of each side whose size is known.
    `others` maps each description of other cells (equivalent, undecided, …) to their number.
    """

    value: str
    metric: str
    better: Sequence[str]
    worse: Sequence[str]
    changes: Sequence[Change]
    others: dict[str, int]


@dataclass(frozen=True)
class BestClaim:
    """The contests that each value of the factor wins, each by the key of the winner's cell."""

    won: dict[str, Sequence[str]]


@dataclass(frozen=True)
class ShapeClaim:
    """The changes from one turning point to the next on one line along an ordered dimension; none if it is flat.

    `line` are the keys of its compared cells, `undecided` those of cells that do not fit, although no test confirms it.
    """

    dimension: str
    value: str
    line: Sequence[str]
    changes: Sequence[Change]
    undecided: Sequence[str]


Claim = RowClaim | BestClaim | ShapeClaim
