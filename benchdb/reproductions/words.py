"""Answers in the words of pages."""

from __future__ import annotations

from benchdb.stats.comparing.reproduction import ReproductionAnswer
from benchdb.wording.numbers import plural

SIGNS = {ReproductionAnswer.REPRODUCED: "✓", ReproductionAnswer.NOT_REPRODUCED: "✗", ReproductionAnswer.UNDECIDED: "?"}
WORDS = {
    ReproductionAnswer.REPRODUCED: "reproduced",
    ReproductionAnswer.NOT_REPRODUCED: "not reproduced",
    ReproductionAnswer.UNDECIDED: "undecided",
}
ORDER = (ReproductionAnswer.NOT_REPRODUCED, ReproductionAnswer.UNDECIDED, ReproductionAnswer.REPRODUCED)


def say_counts(reproduced: int, not_reproduced: int, undecided: int, noun: str) -> str:
    """`14 of 16 conclusions reproduced, 2 undecided`; `no conclusion to reproduce` if there is none."""
    total = reproduced + not_reproduced + undecided
    if not total:
        return f"no {noun} to reproduce"
    others = [f"{number} {word}" for number, word in ((not_reproduced, "not"), (undecided, "undecided")) if number]
    return ", ".join([f"{reproduced} of {plural(total, noun)} reproduced", *others])
