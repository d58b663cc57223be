"""What crude readers of whole texts hand back, and the same of a parse, so that the two can be laid side by side."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from benchagent.formats.model import Parsed
from tests.support.in_step import in_step

# How often a (line, metric, value) is there. Nought and what is no number are None, as the parsers have it.
Found = Counter[tuple[int, str, "float | None"]]


def value(printed: str, times: Fraction | int = 1) -> float | None:
    return float(Fraction(printed) * times) or None


def of(parsed: Parsed) -> Found:
    """What was parsed, without what a parser says of lines that have no number."""
    return Counter(
        (line, result.metric, number)
        for result in parsed.results
        for line, number in in_step(result.lines, result.values)
    )


def differences(parsed: Parsed, read: Found) -> tuple[Found, Found]:
    """(what only the crude reader found, what only the parser did); what it says of other lines is left out."""
    ours = of(parsed)
    lines = {line for line, _, _ in read}
    surplus = Counter({cell: count for cell, count in (ours - read).items() if cell[0] in lines or cell[2] is not None})
    return read - ours, surplus
