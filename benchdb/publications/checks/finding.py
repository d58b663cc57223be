"""The finding of a check about one subject of an article."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

CLOCK, CACHE, SIZES, UNITS, FIGURES = "clock", "cache", "size arithmetic", "unit arithmetic", "figures"
TWICE, SUMS, SHARES, BOUNDS, MODELS = "stated twice", "sum", "percentage", "faster than possible", "model name"
ORDERS, CPU_TIMES, SPACE = "order", "CPU time", "space"
HAND = "hand"


@dataclass(frozen=True)
class ArticleFinding:
    """`subject` is a name for notes; `agrees` is false if the article contradicts itself.

    `statements` are what the check compared: statements of the text with their lines, and figures of the tables. Checks
    of whole runs name none.
    """

    check: str
    subject: str
    text: str
    agrees: bool
    statements: tuple[str, ...] = ()


def say(value: Decimal | float) -> str:
    """A number for a sentence: `16,777,216`, `1.0486`."""
    number = float(value)
    return f"{number:,.0f}" if number == int(number) or abs(number) >= 1e4 else f"{number:,.4g}"
