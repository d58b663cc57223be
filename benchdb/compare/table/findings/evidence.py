"""The tests behind findings: comparisons of pairs of cells, all done at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isnan
from typing import NamedTuple

import numpy as np

from benchdb.compare.verdicts.pairs import Stacked
from benchdb.stats import Comparisons, Correction, NoVerdict, Verdict, compare

from .claims import Change
from .table_cells import MeasuredCell, TableCells


class PairAnswer(NamedTuple):
    """The result of a pair: `ratio` of the figures, uncorrected `p`, and the farthest end of the 90 % interval from 1.

    The verdict is not corrected for other tests: better or worse at p < 0.05. `reason` is that for none.
    """

    verdict: Verdict
    reason: NoVerdict | None
    ratio: float
    p: float
    bound: float


class FindingEvidence:
    """Collects pairs of cells (`pair`), tests them all at once (`weigh`), then answers."""

    def __init__(self, table: TableCells, stacked: Stacked[str] | None = None) -> None:
        """`stacked` are the table's cells as columns, if the caller already has them."""
        self._stacked = stacked or Stacked({entry.key: entry.cell for entry in table.entries})
        self._margin, self._level = table.margin, table.level
        self._pairs: dict[tuple[str, str], int] = {}
        self._sides: list[tuple[MeasuredCell, MeasuredCell]] = []
        self._compared: Comparisons | None = None
        self._answers: list[PairAnswer] = []

    def pair(self, entry: MeasuredCell, against: MeasuredCell) -> int:
        """Add a comparison of two cells, and return its index."""
        key = (entry.key, against.key)
        if key not in self._pairs:
            self._pairs[key] = len(self._sides)
            self._sides.append((entry, against))
        return self._pairs[key]

    def testable(self, entry: MeasuredCell) -> bool:
        """Whether the cell has what a test needs: several values or an sd, and a good enough clock."""
        return entry.key not in self._untestable

    @cached_property
    def _untestable(self) -> set[str]:
        reasons = zip(self._stacked.cells, self._stacked.columns.reasons, strict=True)
        return {key for key, reason in reasons if reason is not None}

    def weigh(self) -> None:
        """Test all pairs."""
        if not self._sides:
            return
        compared = compare(
            *self._stacked.sides([(entry.key, against.key) for entry, against in self._sides]),
            higher_is_better=[entry.measure.higher_is_better for entry, _ in self._sides],
            margin=self._margin,
            level=self._level,
            correction=Correction.UNCORRECTED,
            checked=False,
        )
        inner = compared.equivalence_interval
        bound = np.maximum(1 - inner.low, inner.high - 1)
        figures = (compared.ratio, compared.p_of_claims, bound)
        columns = (compared.verdict, compared.reason, *(figure.tolist() for figure in figures))
        self._answers = [*map(PairAnswer._make, zip(*columns, strict=True))]
        self._compared = compared

    def answer(self, pair: int) -> PairAnswer:
        """The result of a pair."""
        return self._answers[pair]

    def interval(self, pair: int, confidence: float = 0.95) -> tuple[float, float]:
        """The interval of a pair's ratio."""
        ((low, high),) = self._intervals([pair], [confidence])
        return low, high

    def changes(self, pairs: Sequence[int], confidences: Sequence[float]) -> list[Change | None]:
        """The change of each pair with an interval of its confidence; None if the interval contains 1."""
        return [
            None if isnan(low) or low <= 1 <= high else Change(*self._sides[pair], self.answer(pair).ratio, low, high)
            for pair, (low, high) in zip(pairs, self._intervals(pairs, confidences), strict=True)
        ]

    def _intervals(self, pairs: Sequence[int], confidences: Sequence[float]) -> Iterator[tuple[float, float]]:
        assert self._compared is not None
        low, high = self._compared.ratios.take(pairs).interval(np.array(confidences))
        return zip(low.tolist(), high.tolist(), strict=True)
