"""The tests behind findings: comparisons of pairs of cells, and claims that are one family for the correction."""

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
    """The result of a pair: the `ratio` of the figures; `bound` is the distance of the 90 % interval's ends from 1."""

    verdict: Verdict
    ratio: float
    bound: float


class FindingEvidence:
    """Collects pairs and claims (`pair`, `claim`, `given`), tests them all at once (`weigh`), then answers.

    All claims together are the family of the Benjamini–Hochberg correction, so that one in twenty tables without any
    difference shows a false finding. A claim that rests on several tests has the greatest p of them, times the number
    of cells it was picked from.
    """

    def __init__(self, table: TableCells, stacked: Stacked[str] | None = None) -> None:
        """`stacked` are the table's cells as columns, if the caller already has them."""
        self._stacked = stacked or Stacked({entry.key: entry.cell for entry in table.entries})
        self._margin, self._level = table.margin, table.level
        self._pairs: dict[tuple[str, str], int] = {}
        self._sides: list[tuple[MeasuredCell, MeasuredCell]] = []
        self._claims: list[tuple[Sequence[int], float]] = []  # pairs and a factor, or no pair and p itself
        self._found: Comparisons | None = None
        self._columns: tuple[Sequence[Verdict], Sequence[float], Sequence[float]] = ((), (), ())
        self._p_adjusted: list[float] = []

    def pair(self, entry: MeasuredCell, against: MeasuredCell) -> int:
        """Add a comparison of two cells, and return its index."""
        key = (entry.key, against.key)
        if key not in self._pairs:
            self._pairs[key] = len(self._sides)
            self._sides.append((entry, against))
        return self._pairs[key]

    def claim(self, pairs: Sequence[int], picked_from: int = 1) -> int:
        """Add the claim that all these pairs differ, and return its index."""
        self._claims.append((pairs, float(picked_from)))
        return len(self._claims) - 1

    def given(self, p: float) -> int:
        """Add a claim that was tested elsewhere with this p, and return its index."""
        self._claims.append(((), p))
        return len(self._claims) - 1

    def weigh(self) -> None:
        """Test all pairs and correct all claims."""
        p = np.empty(0)
        if self._sides:
            comparisons = compare(
                *self._stacked.sides([(entry.key, against.key) for entry, against in self._sides]),
                higher_is_better=[entry.measure.higher_is_better for entry, _ in self._sides],
                margin=self._margin,
                level=self._level,
                correction=Correction.UNCORRECTED,
                checked=False,
            )
            p, self._found = comparisons.p, comparisons
            inner = comparisons.equivalence_interval
            bound = np.maximum(1 - inner.low, inner.high - 1)
            self._columns = (comparisons.verdict, comparisons.ratio.tolist(), bound.tolist())
        p_of_pair = p.tolist()
        claimed = [picked_from * _greatest([p_of_pair[pair] for pair in pairs]) for pairs, picked_from in self._claims]
        self._p_adjusted = adjust(np.minimum(np.array(claimed, dtype=float), 1.0)).tolist()

    def answer(self, pair: int) -> PairAnswer:
        """The result of a pair."""
        verdict, ratio, bound = self._columns
        return PairAnswer(verdict[pair], ratio[pair], bound[pair])

    def interval(self, pair: int) -> tuple[float, float]:
        """The 95 % interval of a pair's ratio."""
        assert self._found is not None
        low, high = self._found.interval
        return low[pair].item(), high[pair].item()

    def p_adjusted(self, claim: int) -> float:
        """p of a claim, corrected for all claims of the table; NaN if the claim could not be tested."""
        return self._p_adjusted[claim]

    def holds(self, claim: int) -> bool:
        """Whether a claim passed."""
        return self.p_adjusted(claim) < self._level

    def direction(self, pair: int, claim: int) -> Verdict:
        """The verdict of a pair; inconclusive instead of better or worse if the claim did not pass."""
        answer = self.answer(pair)
        if answer.verdict in (Verdict.BETTER, Verdict.WORSE) and not self.holds(claim):
            return Verdict.INCONCLUSIVE
        return answer.verdict


def _greatest(ps: Sequence[float]) -> float:
    """The greatest p; NaN if any is NaN, 1 if there is none."""
    return float("nan") if any(map(isnan, ps)) else max(ps, default=1.0)
