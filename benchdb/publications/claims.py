"""Claims of authors about the cells of a table, tested by the statistics of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, product
from math import isnan

import numpy as np

from benchdb.compare.table.findings.evidence import FindingEvidence
from benchdb.compare.table.findings.table_cells import MeasuredCell, TableCells
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

    `ratio` is that of the figures, `entry` to `against`; None if a mean is 0.
    """

    entry: MeasuredCell
    against: MeasuredCell | None
    outcome: ClaimOutcome
    ratio: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class ClaimedPairs:
    """The compared cells of one line; for the claim `unmoved` all `steps` must be equivalent."""

    entry: MeasuredCell
    against: MeasuredCell
    pair: int
    steps: Sequence[tuple[MeasuredCell, int]]


class Claims:
    """All claims about one table: one family, in which all claims are registered before any is answered."""

    def __init__(self, table: TableCells, claims: Sequence[ArticleClaim]) -> None:
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
            [self._alone(claim, entry) for entry in self._cells(claim)]
            if claim.kind in ALONE
            else [self._line(claim, compared) for compared in compared_cells]
            for claim, compared_cells in self._compared
        ]

    def _cells(self, claim: ArticleClaim) -> list[MeasuredCell]:
        return [entry for entry in self._table.entries if entry.cell.mean is not None and _is_meant(claim, entry)]

    def _register(self, claim: ArticleClaim) -> list[ClaimedPairs]:
        if claim.kind in ALONE:
            return []
        lines = self._lines(claim) if claim.kind in ALONG else self._pairs(claim)
        return [self._compare(line) for line in lines]

    def _compare(self, line: Sequence[MeasuredCell]) -> ClaimedPairs:
        """Every later cell of a line against the first; the claim is about the last."""
        first, *later = line
        steps = [(entry, self._evidence.pair(entry, first)) for entry in later]
        entry, pair = steps[-1]
        return ClaimedPairs(entry, first, pair, steps)

    def _lines(self, claim: ArticleClaim) -> Iterator[list[MeasuredCell]]:
        for line in self._table.lines(claim.along):
            meant = [entry for entry in line if entry.cell.mean is not None and _is_meant(claim, entry)]
            if len(meant) > 1:
                yield meant

    def _pairs(self, claim: ArticleClaim) -> Iterator[list[MeasuredCell]]:
        """Pairs of the cell to compare with and the cell of the claim; no value is compared with itself."""
        for rivals in self._table.rivals.values():
            by_value = {
                value: entry
                for value, entry in rivals.items()
                if entry.cell.mean is not None and _is_meant(claim, entry)
            }
            for value, other in _compared(claim, tuple(by_value)):
                if other != value and other in by_value and value in by_value:
                    yield [by_value[other], by_value[value]]

    def _line(self, claim: ArticleClaim, compared: ClaimedPairs) -> ClaimLine:
        answer = self._evidence.answer(compared.pair)
        if answer.reason is NoVerdict.CACHE:
            return ClaimLine(compared.entry, compared.against, ClaimOutcome.OPEN, None)
        if answer.verdict is Verdict.NONE:
            ratio = _printed_ratio(compared.entry, compared.against)
            agrees = ratio is not None and _agrees(claim, compared, ratio, self._table.margin)
            return ClaimLine(
                compared.entry, compared.against, ClaimOutcome.AGREES if agrees else ClaimOutcome.DISAGREES, ratio
            )
        outcome, pair, entry = self._outcome(claim, compared), compared.pair, compared.entry
        if claim.kind == "unmoved":  # show the step with the largest change
            known = [step for step in compared.steps if not isnan(self._evidence.answer(step[1]).bound)]
            entry, pair = max(known, key=lambda step: self._evidence.answer(step[1]).bound)
        answer = self._evidence.answer(pair)
        return ClaimLine(entry, compared.against, outcome, answer.ratio, self._evidence.interval(pair))

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
        if not compared.entry.measure.higher_is_better:
            low, high = 1 / high, 1 / low
        as_far = claim.ratio is None or (low <= claim.ratio[1] and high >= claim.ratio[0])
        return ClaimOutcome.HOLDS if direction is wanted and as_far else ClaimOutcome.FAILS

    def _direction(self, pair: int) -> Verdict:
        """The verdict of a pair; better or worse only if p passes, corrected for all claims."""
        verdict = self._evidence.answer(pair).verdict
        differs = verdict in (Verdict.BETTER, Verdict.WORSE)
        return Verdict.INCONCLUSIVE if differs and self._p_adjusted[pair] >= self._table.level else verdict

    def _alone(self, claim: ArticleClaim, entry: MeasuredCell) -> ClaimLine:
        mean, sd = entry.cell.mean, entry.cell.sd
        if not mean or sd is None:
            return ClaimLine(entry, None, ClaimOutcome.OPEN, None)
        return ClaimLine(entry, None, ClaimOutcome.HOLDS if sd / mean < claim.share else ClaimOutcome.FAILS, sd / mean)


def _compared(claim: ArticleClaim, measured: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of values that a claim compares: neighbours for the claim `order`, otherwise all with all."""
    if claim.kind == "order":
        return pairwise(claim.values)
    return iter(product(claim.values, claim.against or measured))


def _is_meant(claim: ArticleClaim, entry: MeasuredCell) -> bool:
    return all(
        str(getattr(entry.cell, name, None)) in wanted or entry.parts.get(name) in wanted
        for name, wanted in claim.where.items()
    )


def _printed_ratio(entry: MeasuredCell, against: MeasuredCell) -> float | None:
    """The ratio of the two printed means; None if one is 0."""
    mean, other = entry.cell.mean, against.cell.mean
    if not mean or not other:
        return None
    return float(mean / other)


def _agrees(claim: ArticleClaim, compared: ClaimedPairs, ratio: float, margin: float) -> bool:
    """Whether the printed means agree with the claim. Nothing is tested."""
    if claim.kind in ("unmoved", "equal"):
        ratios = [_printed_ratio(entry, compared.against) for entry, _ in compared.steps]
        return all(step is not None and 1 / (1 + margin) <= step <= 1 + margin for step in ratios)
    gain = ratio if compared.entry.measure.higher_is_better else 1 / ratio
    if claim.ratio is not None:
        return claim.ratio[0] <= gain <= claim.ratio[1]
    return gain < 1 if claim.kind in ("down", "worse") else gain > 1
