"""What is asked about a cell and its baseline's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchdb.stats import Verdict

from .evidence import Evidence
from .places import Place

BOTH = (Verdict.BETTER, Verdict.WORSE)


class Asked(NamedTuple):
    """A cell against its baseline's."""

    place: Place
    against: Place
    pair: int
    claim: int


def kind_of(evidence: Evidence, each: Asked) -> Verdict:
    """What findings and the table's own verdict both say; inconclusive where they do not agree."""
    own = (each.place.cell.get("verdict") or {}).get("kind")
    found = evidence.direction(each.pair, each.claim)
    return found if found.value == own else Verdict.INCONCLUSIVE


def both_sides(asked: Sequence[Asked]) -> list[Place]:
    """The cells and their baselines'."""
    return [place for each in asked for place in (each.place, each.against)]
