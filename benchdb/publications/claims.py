"""Claims about the cells of a table: asked of the statistics as findings are, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, product

from benchdb.compare.table.findings.evidence import FindingEvidence
from benchdb.compare.table.findings.table_cells import MeasuredCell, TableCells
from benchdb.stats import Verdict

from .page_files import ALONE, ALONG, Claim


class Outcome(StrEnum):
    """What a claim comes to at one line of cells; the last two where there is no sd, so that nothing is tested."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"
    AGREES = "agrees"
    DISAGREES = "disagrees"


@dataclass(frozen=True)
class Line:
    """One place against another one, or alone; `ratio` is above 1 where `place` is better, None where a mean is 0."""

    place: MeasuredCell
    against: MeasuredCell | None
    outcome: Outcome
    ratio: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Asked:
    """The pairs of one line: `steps` are those that must be equivalent where nothing shall move."""

    place: MeasuredCell
    against: MeasuredCell
    pair: int
    claimed: int
    steps: Sequence[tuple[MeasuredCell, int]]


class Claims:
    """All claims about one table, which are one family: first every one is asked, then weighed, then answered."""

    def __init__(self, table: TableCells, claims: Sequence[Claim]) -> None:
        self._table = table
        self._evidence = FindingEvidence(table)
        self._asked = [(claim, self._ask(claim)) for claim in claims]
        self._evidence.weigh()

    def answers(self) -> list[list[Line]]:
        """The lines of each claim."""
        return [
            [self._alone(claim, place) for place in self._cells(claim)]
            if claim.kind in ALONE
            else [self._line(claim, each) for each in asked]
            for claim, asked in self._asked
        ]

    def _cells(self, claim: Claim) -> list[MeasuredCell]:
        return [place for place in self._table.places if place.cell["mean"] is not None and _is_meant(claim, place)]

    def _ask(self, claim: Claim) -> list[Asked]:
        if claim.kind in ALONE:
            return []
        lines = self._lines(claim) if claim.kind in ALONG else self._pairs(claim)
        return [self._asked_of(line) for line in lines]

    def _asked_of(self, line: Sequence[MeasuredCell]) -> Asked:
        """Every later place of a line against its first, the last one being the one that is claimed to differ."""
        first, *later = line
        steps = [(place, self._evidence.pair(place, first)) for place in later]
        place, pair = steps[-1]
        return Asked(place, first, pair, self._evidence.claim([pair]), steps)

    def _lines(self, claim: Claim) -> Iterator[list[MeasuredCell]]:
        for line in self._table.lines(claim.along):
            meant = [place for place in line if place.cell["mean"] is not None and _is_meant(claim, place)]
            if len(meant) > 1:
                yield meant

    def _pairs(self, claim: Claim) -> Iterator[list[MeasuredCell]]:
        """What is compared with, then what is claimed of; a value is never compared with itself."""
        for rivals in self._table.rivals.values():
            there = {
                value: place
                for value, place in rivals.items()
                if place.cell["mean"] is not None and _is_meant(claim, place)
            }
            for value, other in _compared(claim, tuple(there)):
                if other != value and other in there and value in there:
                    yield [there[other], there[value]]

    def _line(self, claim: Claim, asked: Asked) -> Line:
        found = self._evidence.answer(asked.pair)
        if found.verdict is Verdict.NONE:
            ratio = _printed_ratio(asked.place, asked.against)
            agrees = ratio is not None and _agrees(claim, asked, ratio, self._table.margin)
            return Line(asked.place, asked.against, Outcome.AGREES if agrees else Outcome.DISAGREES, ratio)
        outcome, pair, place = self._outcome(claim, asked), asked.pair, asked.place
        if claim.kind == "unmoved":  # the step that lies farthest says how far it moved
            place, pair = max(asked.steps, key=lambda step: self._evidence.answer(step[1]).bound)
        told = self._evidence.answer(pair)
        return Line(place, asked.against, outcome, told.ratio, self._evidence.interval(pair))

    def _outcome(self, claim: Claim, asked: Asked) -> Outcome:
        if claim.kind in ("unmoved", "equal"):
            verdicts = [self._evidence.answer(pair).verdict for _, pair in asked.steps]
            if all(verdict is Verdict.EQUIVALENT for verdict in verdicts):
                return Outcome.HOLDS
            differs = self._evidence.direction(asked.pair, asked.claimed) in (Verdict.BETTER, Verdict.WORSE)
            return Outcome.FAILS if differs else Outcome.OPEN
        wanted = Verdict.WORSE if claim.kind in ("down", "worse") else Verdict.BETTER
        found = self._evidence.direction(asked.pair, asked.claimed)
        if found is Verdict.INCONCLUSIVE:
            return Outcome.OPEN
        low, high = self._evidence.interval(asked.pair)
        as_far = claim.ratio is None or (low <= claim.ratio[1] and high >= claim.ratio[0])
        return Outcome.HOLDS if found is wanted and as_far else Outcome.FAILS

    def _alone(self, claim: Claim, place: MeasuredCell) -> Line:
        mean, sd = place.cell["mean"], place.cell["sd"]
        if not mean or sd is None:
            return Line(place, None, Outcome.OPEN, None)
        return Line(place, None, Outcome.HOLDS if sd / mean < claim.share else Outcome.FAILS, sd / mean)


def _compared(claim: Claim, there: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Which values a claim compares with which: each of an order with the next, else all with all."""
    if claim.kind == "order":
        return pairwise(claim.values)
    return iter(product(claim.values, claim.against or there))


def _is_meant(claim: Claim, place: MeasuredCell) -> bool:
    return all(
        str(place.cell.get(name)) in wanted or place.parts.get(name) in wanted for name, wanted in claim.where.items()
    )


def _printed_ratio(place: MeasuredCell, against: MeasuredCell) -> float | None:
    """How much better the one printed mean is than the other; None where one is 0."""
    mean, other = place.cell["mean"], against.cell["mean"]
    if not mean or not other:
        return None
    return float(mean / other if place.measure.higher_is_better else other / mean)


def _agrees(claim: Claim, asked: Asked, ratio: float, margin: float) -> bool:
    """Whether the printed means alone are as the claim says. Nothing is tested."""
    if claim.kind in ("unmoved", "equal"):
        ratios = [_printed_ratio(place, asked.against) for place, _ in asked.steps]
        return all(each is not None and 1 / (1 + margin) <= each <= 1 + margin for each in ratios)
    if claim.ratio is not None:
        return claim.ratio[0] <= ratio <= claim.ratio[1]
    return ratio < 1 if claim.kind in ("down", "worse") else ratio > 1
