"""Cells and their baselines, with the table's verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchdb.runs.cells.verdict import CellVerdict
from benchdb.stats import Verdict

from .table_cells import MeasuredCell

BOTH = (Verdict.BETTER, Verdict.WORSE)


class BaselinePair(NamedTuple):
    """A cell and its baseline. The verdicts of a table are already one family, so findings only count them."""

    entry: MeasuredCell
    against: MeasuredCell
    kind: Verdict  # the table's; NONE if the table has no verdict

    @classmethod
    def of(cls, entry: MeasuredCell, against: MeasuredCell) -> BaselinePair:
        """The pair with the verdict of the table."""
        verdict = entry.cell.verdict
        return cls(entry, against, Verdict(verdict.kind) if verdict else Verdict.NONE)

    @property
    def ratio(self) -> float:
        """The ratio of the figure itself; only for better and worse, as are the interval and p."""
        return _known(self._verdict.ratio)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the ratio."""
        return _known(self._verdict.low), _known(self._verdict.high)

    @property
    def p_adjusted(self) -> float:
        """p as the table corrected it."""
        return _known(self._verdict.p_adjusted)

    @property
    def _verdict(self) -> CellVerdict:
        assert self.entry.cell.verdict is not None  # the kind would be NONE
        return self.entry.cell.verdict


def _known(figure: float | None) -> float:
    assert figure is not None  # every verdict of better or worse has its figures
    return figure


def both_sides(pairs: Sequence[BaselinePair]) -> list[MeasuredCell]:
    """The cells and their baselines."""
    return [entry for pair in pairs for entry in (pair.entry, pair.against)]
