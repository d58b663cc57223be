"""Cells and their baselines, with the table's verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
        verdict = entry.cell.get("verdict")
        return cls(entry, against, Verdict(verdict["kind"]) if verdict else Verdict.NONE)

    @property
    def ratio(self) -> float:
        """The ratio, above 1 is better; only for better and worse."""
        return float(self.entry.cell["verdict"]["ratio"])

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the ratio."""
        verdict = self.entry.cell["verdict"]
        return verdict["low"], verdict["high"]

    @property
    def p_adjusted(self) -> float:
        """p as the table corrected it; only for better and worse."""
        return float(self.entry.cell["verdict"]["p_adjusted"])


def both_sides(pairs: Sequence[BaselinePair]) -> list[MeasuredCell]:
    """The cells and their baselines."""
    return [entry for pair in pairs for entry in (pair.entry, pair.against)]
