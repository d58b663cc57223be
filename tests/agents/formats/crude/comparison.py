"""The numbers that crude readers and parsers find in a text, in one form for comparison."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from benchagent.formats.model import Parsed
from tests.support.in_step import in_step

# How often each (line, metric, value) occurs. Zeros and other non-values are None, as in the parsers' results.
Found = Counter[tuple[int, str, "float | None"]]


def value(printed: str, times: Fraction | int = 1) -> float | None:
    return float(Fraction(printed) * times) or None


def of(parsed: Parsed) -> Found:
    """The parsed numbers, without results on lines that contain no number."""
    return Counter(
        (line, result.metric, number)
        for result in parsed.results
        for line, number in in_step(result.lines, result.values)
    )


def differences(parsed: Parsed, read: Found) -> tuple[Found, Found]:
    """(numbers only of the crude reader, numbers only of the parser), without the parser's results on other lines."""
    ours = of(parsed)
    lines = {line for line, _, _ in read}
    surplus = Counter({cell: count for cell, count in (ours - read).items() if cell[0] in lines or cell[2] is not None})
    return read - ours, surplus
