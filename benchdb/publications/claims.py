"""Claims of authors about the cells of a table, tested by the statistics of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, product
from math import isnan

import numpy as np

from benchdb.compare.table.findings.evidence import FindingEvidence
from benchdb.compare.table.grid import Grid
from benchdb.stats import NoVerdict, Verdict
from benchdb.stats.comparing.multiple_testing import adjust

from .page_files import ALONE, ALONG, ArticleClaim


class ClaimOutcome(StrEnum):
    """The outcome of a claim for one line of cells; the last two if there is no sd, so that nothing is tested.

    A claim about memory against the device is open, because these cannot be compared.
    """

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"
    AGREES = "agrees"
    DISAGREES = "disagrees"


@dataclass(frozen=True)
class ClaimLine:
    """One cell against another one, or a single cell.

    `ratio` is that of the figures, `cell` to `against`; None if a mean is 0.
    """

    cell: int
    against: int | None
    outcome: ClaimOutcome
    ratio: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class ClaimedPairs:
    """The compared cells of one line; for the claim `unmoved` all `steps` must be equivalent."""

    cell: int
    against: int
    pair: int
    steps: Sequence[tuple[int, int]]


class Claims:
    """All claims about one table: one family, in which all claims are registered before any is answered."""

    def __init__(self, table: Grid, claims: Sequence[ArticleClaim]) -> None:
        self._table = table
        self._evidence = FindingEvidence(table)
        self._compared = [(claim, self._register(claim)) for claim in claims]
        self._evidence.weigh()
        claimed = [line.pair for _, lines in self._compared for line in lines]
        p = np.array([self._evidence.answer(pair).p for pair in claimed], dtype=float)
        self._p_adjusted = dict(zip(claimed, adjust(p).tolist(), strict=True))

    def answers(self) -> list[list[ClaimLine]]:
        """The lines of each claim."""
        return [
            [self._alone(claim, cell) for cell in range(len(self._table.cells)) if self._is_meant(claim, cell)]
            if claim.kind in ALONE
            else [self._line(claim, compared) for compared in compared_cells]
            for claim, compared_cells in self._compared
        ]

    def _is_meant(self, claim: ArticleClaim, index: int) -> bool:
        """Whether the claim is about a cell, which has a mean."""
        cell, labels = self._table.cells[index], self._table.labels
        return cell.mean is not None and all(
            str(getattr(cell, name, None)) in wanted or (name in labels and self._table.label(index, name) in wanted)
            for name, wanted in claim.where.items()
        )

    def _register(self, claim: ArticleClaim) -> list[ClaimedPairs]:
        if claim.kind in ALONE:
            return []
        lines = self._lines(claim) if claim.kind in ALONG else self._pairs(claim)
        return [self._compare(line) for line in lines]

    def _compare(self, line: Sequence[int]) -> ClaimedPairs:
        """Every later cell of a line against the first; the claim is about the last."""
        first, *later = line
        steps = [(cell, self._evidence.pair(cell, first)) for cell in later]
        cell, pair = steps[-1]
        return ClaimedPairs(cell, first, pair, steps)

    def _lines(self, claim: ArticleClaim) -> Iterator[list[int]]:
        for line in self._table.lines(claim.along):
            meant = [cell for cell in line if self._is_meant(claim, cell)]
            if len(meant) > 1:
                yield meant

    def _pairs(self, claim: ArticleClaim) -> Iterator[list[int]]:
        """Pairs of the cell to compare with and the cell of the claim; no value is compared with itself."""
        for rivals in self._table.contests:
            by_value = {value: cell for value, cell in rivals.items() if self._is_meant(claim, cell)}
            for value, other in _compared(claim, tuple(by_value)):
                if other != value and other in by_value and value in by_value:
                    yield [by_value[other], by_value[value]]

    def _line(self, claim: ArticleClaim, compared: ClaimedPairs) -> ClaimLine:
        answer = self._evidence.answer(compared.pair)
        if answer.reason is NoVerdict.CACHE:
            return ClaimLine(compared.cell, compared.against, ClaimOutcome.OPEN, None)
        if answer.verdict is Verdict.NONE:
            ratio = self._printed_ratio(compared.cell, compared.against)
            agrees = ratio is not None and self._agrees(claim, compared, ratio)
            return ClaimLine(
                compared.cell, compared.against, ClaimOutcome.AGREES if agrees else ClaimOutcome.DISAGREES, ratio
            )
        outcome, pair, cell = self._outcome(claim, compared), compared.pair, compared.cell
        if claim.kind == "unmoved":  # show the step with the largest change
            known = [step for step in compared.steps if not isnan(self._evidence.answer(step[1]).bound)]
            cell, pair = max(known, key=lambda step: self._evidence.answer(step[1]).bound)
        answer = self._evidence.answer(pair)
        return ClaimLine(cell, compared.against, outcome, answer.ratio, self._evidence.interval(pair))

    def _outcome(self, claim: ArticleClaim, compared: ClaimedPairs) -> ClaimOutcome:
        if claim.kind in ("unmoved", "equal"):
            verdicts = [self._evidence.answer(pair).verdict for _, pair in compared.steps]
            if all(verdict is Verdict.EQUIVALENT for verdict in verdicts):
                return ClaimOutcome.HOLDS
            differs = self._direction(compared.pair) in (Verdict.BETTER, Verdict.WORSE)
            return ClaimOutcome.FAILS if differs else ClaimOutcome.OPEN
        wanted = Verdict.WORSE if claim.kind in ("down", "worse") else Verdict.BETTER
        direction = self._direction(compared.pair)
        if direction is Verdict.INCONCLUSIVE:
            return ClaimOutcome.OPEN
        low, high = self._evidence.interval(compared.pair)
        if not self._table.measures[compared.cell].higher_is_better:
            low, high = 1 / high, 1 / low
        as_far = claim.ratio is None or (low <= claim.ratio[1] and high >= claim.ratio[0])
        return ClaimOutcome.HOLDS if direction is wanted and as_far else ClaimOutcome.FAILS

    def _direction(self, pair: int) -> Verdict:
        """The verdict of a pair; better or worse only if p passes, corrected for all claims."""
        verdict = self._evidence.answer(pair).verdict
        differs = verdict in (Verdict.BETTER, Verdict.WORSE)
        return Verdict.INCONCLUSIVE if differs and self._p_adjusted[pair] >= self._table.content.level else verdict

    def _alone(self, claim: ArticleClaim, index: int) -> ClaimLine:
        mean, sd = self._table.cells[index].mean, self._table.cells[index].sd
        if not mean or sd is None:
            return ClaimLine(index, None, ClaimOutcome.OPEN, None)
        return ClaimLine(index, None, ClaimOutcome.HOLDS if sd / mean < claim.share else ClaimOutcome.FAILS, sd / mean)

    def _printed_ratio(self, cell: int, against: int) -> float | None:
        """The ratio of the two printed means; None if one is 0."""
        mean, other = self._table.cells[cell].mean, self._table.cells[against].mean
        return float(mean / other) if mean and other else None

    def _agrees(self, claim: ArticleClaim, compared: ClaimedPairs, ratio: float) -> bool:
        """Whether the printed means agree with the claim. Nothing is tested."""
        if claim.kind in ("unmoved", "equal"):
            bound = 1 + self._table.content.margin
            ratios = [self._printed_ratio(cell, compared.against) for cell, _ in compared.steps]
            return all(step is not None and 1 / bound <= step <= bound for step in ratios)
        gain = ratio if self._table.measures[compared.cell].higher_is_better else 1 / ratio
        if claim.ratio is not None:
            return claim.ratio[0] <= gain <= claim.ratio[1]
        return gain < 1 if claim.kind in ("down", "worse") else gain > 1


def _compared(claim: ArticleClaim, measured: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of values that a claim compares: neighbours for the claim `order`, otherwise all with all."""
    if claim.kind == "order":
        return pairwise(claim.values)
    return iter(product(claim.values, claim.against or measured))
