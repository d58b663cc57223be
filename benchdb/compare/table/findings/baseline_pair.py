"""Cells against their baselines', as the table's verdicts have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchdb.stats import Verdict

from .table_cells import MeasuredCell

BOTH = (Verdict.BETTER, Verdict.WORSE)


class BaselinePair(NamedTuple):
    """A cell against its baseline's. The verdicts of a table are one family already: findings only count them."""

    place: MeasuredCell
    against: MeasuredCell
    kind: Verdict  # the table's; none where it gives none

    @classmethod
    def of(cls, place: MeasuredCell, against: MeasuredCell) -> BaselinePair:
        """With the verdict that the table has of them."""
        verdict = place.cell.get("verdict")
        return cls(place, against, Verdict(verdict["kind"]) if verdict else Verdict.NONE)

    @property
    def ratio(self) -> float:
        """Above 1 is better; of better and worse only."""
        return float(self.place.cell["verdict"]["ratio"])

    @property
    def interval(self) -> tuple[float, float]:
        """The ratio's."""
        verdict = self.place.cell["verdict"]
        return verdict["low"], verdict["high"]

    @property
    def p_adjusted(self) -> float:
        """As the table has corrected it; of better and worse only."""
        return float(self.place.cell["verdict"]["p_adjusted"])


def both_sides(asked: Sequence[BaselinePair]) -> list[MeasuredCell]:
    """The cells and their baselines'."""
    return [place for each in asked for place in (each.place, each.against)]
