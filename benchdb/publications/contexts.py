"""The contexts of the pages of articles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListedArticle:
    """An article of publications/articles.html; `figures` and `notes` are numbers in words, `notes` empty for none."""

    slug: str
    title: str
    href: str
    authors: str
    year: int
    compared: str
    figures: str
    notes: str


@dataclass(frozen=True, slots=True)
class ObservationVerdict:
    """The answer to an observation: confirmed, part, contradicted, open or untested, and the lines in words."""

    kind: str
    word: str
    count: str


@dataclass(frozen=True, slots=True)
class AnsweredLine:
    """A line of publications/lines.html; `interval` is empty without one, `outcome` a value of ClaimOutcome."""

    label: str
    href: str
    printed: str
    change: str
    interval: str
    outcome: str
    word: str


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
    first: list[AnsweredLine]
    more: list[AnsweredLine]
    findings: list[dict[str, object]]
