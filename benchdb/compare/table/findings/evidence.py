"""The tests behind findings: pairs of cells that are asked about, and claims that are one family for the correction."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from benchdb.compare.verdicts.pairs import Stacked
from benchdb.stats import Comparisons, Correction, Verdict, compare
from benchdb.stats.comparing.multiple_testing import adjust

from .table_cells import MeasuredCell, TableCells


class PairAnswer(NamedTuple):
    """What a pair came to: `ratio` above 1 is better, `bound` the farthest that its 90 % interval lies from 1."""

    verdict: Verdict
    ratio: float
    bound: float


class FindingEvidence:
    """First everything is asked (`pair`, `claim`, `given`), then weighed at once, then answered.

    All claims together are the family that Benjamini and Hochberg correct, so that a table in which nothing differs
    shows a false finding in one of twenty. A claim that rests on several tests has the greatest p of them, times the
    number of places it was picked from.
    """

    def __init__(self, table: TableCells, stacked: Stacked | None = None) -> None:
        """`stacked` are the table's cells, where somebody has them as columns already."""
        self._stacked = stacked or Stacked(place.cell for place in table.places)
        self._margin, self._level = table.margin, table.level
        self._pairs: dict[tuple[str, str], int] = {}
        self._sides: list[tuple[MeasuredCell, MeasuredCell]] = []
        self._claims: list[tuple[Sequence[int], float]] = []  # pairs and a factor, or no pair and p itself
        self._found: Comparisons | None = None
        self._columns: tuple[Sequence[Verdict], Sequence[float], Sequence[float]] = ((), (), ())
        self._p_adjusted: list[float] = []

    def pair(self, place: MeasuredCell, against: MeasuredCell) -> int:
        """Ask how a cell compares with another one."""
        key = (place.key, against.key)
        if key not in self._pairs:
            self._pairs[key] = len(self._sides)
            self._sides.append((place, against))
        return self._pairs[key]

    def claim(self, pairs: Sequence[int], picked_from: int = 1) -> int:
        """Claim that all these pairs differ."""
        self._claims.append((pairs, float(picked_from)))
        return len(self._claims) - 1

    def given(self, p: float) -> int:
        """Claim something that was tested elsewhere."""
        self._claims.append(((), p))
        return len(self._claims) - 1

    def weigh(self) -> None:
        """Test all pairs and correct all claims."""
        p = np.empty(0)
        if self._sides:
            found = compare(
                *self._stacked.sides([(place.cell, against.cell) for place, against in self._sides]),
                higher_is_better=[place.measure.higher_is_better for place, _ in self._sides],
                margin=self._margin,
                level=self._level,
                correction=Correction.UNCORRECTED,
                checked=False,
            )
            p, self._found = found.p, found
            inner = found.equivalence_interval
            bound = np.maximum(1 - inner.low, inner.high - 1)
            self._columns = (found.verdict, found.ratio.tolist(), bound.tolist())
        every = p.tolist()
        claimed = [number * _greatest([every[pair] for pair in pairs]) for pairs, number in self._claims]
        self._p_adjusted = adjust(np.minimum(np.array(claimed, dtype=float), 1.0)).tolist()

    def answer(self, pair: int) -> PairAnswer:
        """What was found of a pair."""
        verdict, ratio, bound = self._columns
        return PairAnswer(verdict[pair], ratio[pair], bound[pair])

    def interval(self, pair: int) -> tuple[float, float]:
        """The 95 % interval of a pair's ratio."""
        assert self._found is not None
        low, high = self._found.interval
        return low[pair].item(), high[pair].item()

    def p_adjusted(self, claim: int) -> float:
        """p of a claim, corrected for all claims of the table; NaN where it could not be tested."""
        return self._p_adjusted[claim]

    def holds(self, claim: int) -> bool:
        """Whether a claim passed."""
        return self.p_adjusted(claim) < self._level

    def direction(self, pair: int, claim: int) -> Verdict:
        """Better or worse where the claim passed and the difference is not too small to matter, else what it is."""
        answer = self.answer(pair)
        if answer.verdict in (Verdict.BETTER, Verdict.WORSE) and not self.holds(claim):
            return Verdict.INCONCLUSIVE
        return answer.verdict


def _greatest(ps: Sequence[float]) -> float:
    """Of several p, NaN where one is; 1 where there is none."""
    return float("nan") if any(map(isnan, ps)) else max(ps, default=1.0)
