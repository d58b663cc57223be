"""The contexts of the pages of articles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ObservationVerdict:
    """The answer to an observation: confirmed, part, contradicted, open or untested, and the lines in words."""

    kind: str
    word: str
    count: str


@dataclass(frozen=True, slots=True)
class AnsweredObservation:
    """An observation of publications/observations.html; `more` are the folded lines.

    `range` is empty if no line compares cells. `intervals` tells whether a line has an interval.
    """

    text: str
    verdict: ObservationVerdict
    range: str
    address: str
    table: str
    change_head: str
    intervals: bool
    first: list[dict[str, object]]
    more: list[dict[str, object]]
    findings: list[dict[str, object]]
