"""Changes as a reader sees them: read back from the text of a sentence, after rounding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from benchdb.wording.numbers import LARGEST_DECREASE, LARGEST_INCREASE, NARROW_SPACE

DIGITS = rf"\d[\d{NARROW_SPACE}]*(?:\.\d+)?"
SIGNED = rf"(?:more than )?[+−×÷] ?{DIGITS}(?: %)?"
CHANGE = re.compile(rf"{SIGNED}|{DIGITS} % (?:more|higher|less|lower)\b")
INTERVAL = re.compile(rf"95 % intervals?(?: within)? (?P<low>{SIGNED}) to (?P<high>{SIGNED})")
HALF_A_DIGIT = 0.0005  # of a percentage with one decimal


class PrintedChange(NamedTuple):
    """A change by `ratio`, said in per cent or as a factor."""

    ratio: float
    percent: bool

    @classmethod
    def of(cls, text: str) -> PrintedChange:
        number = float(re.sub(r"[^\d.]", "", text))
        if "%" in text:
            falls = text.startswith("−") or text.endswith(("less", "lower"))
            return cls(1 + (-number if falls else number) / 100, True)
        return cls(1 / number if "÷" in text else number, False)

    @property
    def in_wrong_form(self) -> bool:
        """Per cent beyond ÷ 1.5 and × 2, or a factor inside."""
        if self.percent:
            return not 1 / LARGEST_DECREASE - HALF_A_DIGIT < self.ratio <= 2
        return 1 / LARGEST_DECREASE < self.ratio < LARGEST_INCREASE


def changes_in(text: str) -> list[PrintedChange]:
    """All changes that a sentence prints, with the ends of its intervals."""
    return [PrintedChange.of(found) for found in CHANGE.findall(text)]


def intervals_in(text: str) -> Iterator[tuple[float, float]]:
    """The ends of the 95 % intervals that a sentence prints, as ratios."""
    for found in INTERVAL.finditer(text):
        yield PrintedChange.of(found["low"]).ratio, PrintedChange.of(found["high"]).ratio
