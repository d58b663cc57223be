"""Cells and their baselines, with the table's verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchdb.runs.cells.verdict import CellVerdict
from benchdb.stats import NoVerdict, Verdict

from .table_cells import MeasuredCell

BOTH = (Verdict.BETTER, Verdict.WORSE)
VERDICTS = {verdict.value: verdict for verdict in Verdict}


class BaselinePair(NamedTuple):
    """A cell and its baseline."""

    entry: MeasuredCell
    against: MeasuredCell
    kind: Verdict  # the table's; NONE if the table has no verdict
    passed: bool = False  # whether the difference also passed in the family of its row

    @classmethod
    def of(cls, entry: MeasuredCell, against: MeasuredCell) -> BaselinePair:
        """The pair with the verdict of the table."""
        verdict = entry.cell.verdict
        return cls(entry, against, VERDICTS[verdict.kind] if verdict else Verdict.NONE)

    @property
    def called(self) -> Verdict | None:
        """Better or worse if a finding may say so."""
        return self.kind if self.passed and self.kind in BOTH else None

    @property
    def p(self) -> float:
        """The uncorrected p; NaN if nothing was tested."""
        p = self._verdict.p_of_claims if self._verdict else None
        return float("nan") if p is None else p

    @property
    def p_adjusted(self) -> float:
        """p as the table corrected it; NaN if nothing was tested."""
        p = self._verdict.p_adjusted if self._verdict else None
        return float("nan") if p is None else p

    @property
    def ratio(self) -> float:
        """The ratio of the figures; NaN if there is none."""
        ratio = self._verdict.ratio if self._verdict else None
        return float("nan") if ratio is None else ratio

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the ratio, of a pair with a verdict."""
        assert self._verdict is not None
        assert self._verdict.low is not None
        assert self._verdict.high is not None
        return self._verdict.low, self._verdict.high

    @property
    def is_gain(self) -> bool:
        """Whether the measured difference is in the good direction."""
        return (self.ratio > 1) == self.entry.measure.higher_is_better

    @property
    def other(self) -> str:
        """What a sentence says about a cell that it does not count, after a number; "" if it is counted."""
        if self.kind in BOTH:
            return "" if self.passed else "marked but may be chance"
        if self.kind is Verdict.NONE:
            reason = self._verdict.reason if self._verdict else None
            return NOT_JUDGED.get(reason or "", "not comparable")
        return "equivalent" if self.kind is Verdict.EQUIVALENT else "undecided"

    @property
    def _verdict(self) -> CellVerdict | None:
        return self.entry.cell.verdict


NOT_JUDGED: dict[str, str] = {
    NoVerdict.FAILED: "failed",
    NoVerdict.NOT_MEASURED: "not measured",
    NoVerdict.COMPUTING: "computing",
    NoVerdict.CACHE: "memory against the device",
}


def both_sides(pairs: Sequence[BaselinePair]) -> list[MeasuredCell]:
    """The cells and their baselines."""
    return [entry for pair in pairs for entry in (pair.entry, pair.against)]
