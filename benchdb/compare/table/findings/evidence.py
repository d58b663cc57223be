"""The tests behind findings: comparisons of pairs of cells, all done at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np

from benchdb.compare.table.grid import Grid
from benchdb.compare.verdicts.pairs import stack
from benchdb.stats import Cells, Comparisons, Correction, NoVerdict, Verdict, compare

from .claims import Change


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

    def __init__(self, table: Grid, columns: Cells | None = None) -> None:
        """`columns` are the table's cells for `benchdb.stats`, if the caller already has them."""
        self._table = table
        self._columns = stack(table.cells) if columns is None else columns
        self._testable = [reason is None for reason in self._columns.reasons]
        self._pairs: dict[tuple[int, int], int] = {}
        self._compared: Comparisons | None = None
        self._answers: list[PairAnswer] = []

    def pair(self, cell: int, against: int) -> int:
        """Add a comparison of two cells, and return its index."""
        return self._pairs.setdefault((cell, against), len(self._pairs))

    def testable(self, cell: int) -> bool:
        """Whether the cell has what a test needs: several values or an sd, and a good enough clock."""
        return self._testable[cell]

    def weigh(self) -> None:
        """Test all pairs."""
        if not self._pairs:
            return
        cells, against = zip(*self._pairs, strict=True)
        compared = compare(
            self._columns.take(cells),
            self._columns.take(against),
            higher_is_better=[self._table.measures[cell].higher_is_better for cell in cells],
            margin=self._table.content.margin,
            level=self._table.content.level,
            correction=Correction.UNCORRECTED,
            checked=False,
        )
        inner = compared.equivalence_interval
        figures = (compared.ratio, compared.p_of_claims, np.maximum(1 - inner.low, inner.high - 1))
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
        sides = list(self._pairs)
        return [
            None
            if isnan(low) or low <= 1 <= high
            else Change(*sides[pair], self.answer(pair).ratio, low, high, self._table.measures[sides[pair][0]].metric)
            for pair, (low, high) in zip(pairs, self._intervals(pairs, confidences), strict=True)
        ]

    def _intervals(self, pairs: Sequence[int], confidences: Sequence[float]) -> Iterator[tuple[float, float]]:
        assert self._compared is not None
        low, high = self._compared.ratios.take(pairs).interval(np.array(confidences))
        return zip(low.tolist(), high.tolist(), strict=True)
