"""Sentences with the reasons of the verdicts ▲ ▼ ≈ ? and –."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from benchdb.runs.cells.verdict import CellWarning
from benchdb.stats import ComparisonRow, Method, Verdict
from benchdb.stats.sentences import NO_VERDICTS
from benchdb.wording.numbers import say_change

SMALLEST_P = 0.0001
# Warnings that apply to all verdicts of a page appear once, below it.
OF_ALL_VERDICTS = ("within_one_run", "moments_only")


def why(row: ComparisonRow, change: str, repeated: str, margin: float) -> str:
    """The sentence; `change` is the ratio in words, `repeated` the noun for n: round or run."""
    paired = " Runs of the same campaign are compared in pairs." if row.method is Method.PAIRED_BY_CAMPAIGN else ""
    return _why(row, change, repeated, margin) + paired


def _why(row: ComparisonRow, change: str, repeated: str, margin: float) -> str:
    if row.reason is not None:
        return NO_VERDICTS[row.reason]
    difference = _interval(row, change)
    if row.verdict is Verdict.EQUIVALENT:
        return f"Equivalent: the difference is {difference}, too small to matter."
    if row.verdict is Verdict.INCONCLUSIVE:
        return f"Inconclusive: the difference is {difference}. {_precision(row.rounds_for_precision, repeated, margin)}"
    look = f" at look {row.look}" if row.look > 1 else ""
    return f"{row.verdict.value.capitalize()} by {difference}, corrected p {say_p(row.p_adjusted)}{look}."


def _interval(row: ComparisonRow, change: str) -> str:
    """`+8.2 % (95 % interval +7.1 % to +9.3 %)`."""
    interval = f" (95 % interval {say_change(row.low)} to {say_change(row.high)})" if row.low is not None else ""
    return f"{change}{interval}"


def _precision(more: int | None, repeated: str, margin: float) -> str:
    """The rounds that determine the difference within ± `margin`."""
    within = f"within ± {100 * margin:.3g} %"
    if more is None:
        return f"Not even 10 000 more {repeated}s would determine it {within}."
    if more == 0:
        return f"It is known {within} already, and lies near the margin."
    return f"About {more} more {repeated}{'' if more == 1 else 's'} on each side would determine it {within}."


def say_p(p: float | None) -> str:
    """`= 0.03`, `< 0.0001`."""
    if p is None:
        return "unknown"
    return f"< {SMALLEST_P}" if p < SMALLEST_P else f"= {p:.2g}"


class Warned(Protocol):
    """Whatever has warnings: a verdict or a finding."""

    @property
    def warnings(self) -> Sequence[CellWarning]: ...


def warnings_of_all(judged: Iterable[Warned | None]) -> list[str]:
    """The warnings of verdicts and findings that appear once for all of them."""
    warnings = (warning for verdict in judged if verdict is not None for warning in verdict.warnings)
    return list(dict.fromkeys(warning.text for warning in warnings if warning.code in OF_ALL_VERDICTS))
