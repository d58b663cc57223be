"""Cells and their baselines, with the table's verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.stats import NoVerdict, Verdict

BOTH = (Verdict.BETTER, Verdict.WORSE)
VERDICTS = {verdict.value: verdict for verdict in Verdict}


class BaselinePair(NamedTuple):
    """A cell and its baseline, with the verdict of the table if there is one."""

    cell: int
    against: int
    kind: Verdict  # the table's; NONE if the table has no verdict
    verdict: CellVerdict | None
    higher_is_better: bool
    passed: bool = False  # whether the difference also passed in the family of its row

    @classmethod
    def of(cls, table: Grid, cell: int, against: int) -> BaselinePair:
        """The pair with the verdict of the table."""
        verdict = table.cells[cell].verdict
        kind = VERDICTS[verdict.kind] if verdict else Verdict.NONE
        return cls(cell, against, kind, verdict, table.measures[cell].higher_is_better)

    @property
    def called(self) -> Verdict | None:
        """Better or worse if a finding may say so."""
        return self.kind if self.passed and self.kind in BOTH else None

    @property
    def p(self) -> float:
        """The uncorrected p; NaN if nothing was tested."""
        p = self.verdict.p_of_claims if self.verdict else None
        return float("nan") if p is None else p

    @property
    def p_adjusted(self) -> float:
        """p as the table corrected it; NaN if nothing was tested."""
        p = self.verdict.p_adjusted if self.verdict else None
        return float("nan") if p is None else p

    @property
    def ratio(self) -> float:
        """The ratio of the figures; NaN if there is none."""
        ratio = self.verdict.ratio if self.verdict else None
        return float("nan") if ratio is None else ratio

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the ratio, of a pair with a verdict."""
        assert self.verdict is not None
        assert self.verdict.low is not None
        assert self.verdict.high is not None
        return self.verdict.low, self.verdict.high

    @property
    def is_gain(self) -> bool:
        """Whether the measured difference is in the good direction."""
        return (self.ratio > 1) == self.higher_is_better

    @property
    def other(self) -> str:
        """What a sentence says about a cell that it does not count, after a number; "" if it is counted."""
        if self.kind in BOTH:
            return "" if self.passed else "marked but may be chance"
        if self.kind is Verdict.NONE:
            reason = self.verdict.reason if self.verdict else None
            return NOT_JUDGED.get(reason or "", "not comparable")
        return "equal within the margin" if self.kind is Verdict.EQUIVALENT else "undecided"


NOT_JUDGED: dict[str, str] = {
    NoVerdict.FAILED: "failed",
    NoVerdict.NOT_MEASURED: "not measured",
    NoVerdict.COMPUTING: "computing",
    NoVerdict.CACHE: "memory against the device",
}


def both_sides(pairs: Sequence[BaselinePair]) -> list[int]:
    """The cells and their baselines."""
    return [cell for pair in pairs for cell in (pair.cell, pair.against)]
