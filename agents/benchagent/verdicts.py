"""The kinds of verdicts on two figures by their codes, with their signs and words, on pages and in terminals."""

from __future__ import annotations

from typing import NamedTuple


class VerdictKind(NamedTuple):
    """The sign and the word of a verdict: never only a colour."""

    sign: str
    word: str


VERDICTS = {
    "better": VerdictKind("▲", "better"),
    "worse": VerdictKind("▼", "worse"),
    "equivalent": VerdictKind("≈", "equal within the margin"),
    "inconclusive": VerdictKind("?", "undecided"),
    "none": VerdictKind("–", "no verdict"),
}
