"""Sentences with the reasons of the verdicts ▲ ▼ ≈ ? and –."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from benchdb.runs.cells.verdict import CellWarning
from benchdb.stats import ComparisonRow, Method, Verdict
from benchdb.stats.comparing.looks import share_of_look
from benchdb.stats.intervals import CONFIDENCE
from benchdb.stats.sentences import NO_VERDICTS
from benchdb.wording.changes import EffectWords, effect_in_words

SMALLEST_P = 0.0001
LEVEL = 1 - CONFIDENCE  # of the interval
# Warnings that apply to all verdicts of a page appear once, below it.
OF_ALL_VERDICTS = ("within_one_run", "moments_only")


def row_in_words(row: ComparisonRow, metric: str) -> EffectWords | None:
    """The change of the metric in words, if there is a ratio."""
    return None if row.ratio is None else effect_in_words(metric, row.ratio, row.low, row.high)


def why(row: ComparisonRow, words: EffectWords | None, repeated: str, margin: float) -> str:
    """The sentence; `repeated` is the noun for n: round or run, `margin` the difference that does not matter."""
    paired = " Runs of the same campaign are compared in pairs." if row.method is Method.PAIRED_BY_CAMPAIGN else ""
    return _why(row, words.in_full if words else "", repeated, margin) + paired


def _why(row: ComparisonRow, change: str, repeated: str, margin: float) -> str:
    if row.reason is not None:
        return NO_VERDICTS[row.reason]
    if row.verdict is Verdict.EQUIVALENT:
        return f"Equal within {100 * margin:g} %: {change}."
    if row.verdict is Verdict.INCONCLUSIVE:
        return f"Undecided: {change}. {_undecided(row, repeated, margin)}"
    look = f" at look {row.look}" if row.look > 1 else ""
    return f"{row.verdict.value.capitalize()}: {change}, corrected p {say_p(row.p_adjusted)}{look}."


def _undecided(row: ComparisonRow, repeated: str, margin: float) -> str:
    """What leaves the cell undecided, the correction or its own noise, and the rounds that are likely to decide it."""
    within = f"within ± {100 * margin:.3g} %"
    precise = f"determine it {within}"
    if row.p is not None and row.p < LEVEL:
        return f"{_why_corrected(row)} {_rounds(row.rounds_to_decide, repeated, 'decide it in four cases of five')}"
    if row.rounds_for_precision == 0:
        return f"It is known {within} already, and lies near the margin."
    return f"Its noise decides. {_rounds(row.rounds_for_precision, repeated, precise)}"


def _why_corrected(row: ComparisonRow) -> str:
    """What leaves a difference undecided that would be one by itself."""
    alone = f"Alone it would be a difference (p {say_p(row.p)})"
    if row.p_of_claims is not None and row.p_of_claims < LEVEL:
        corrected = f"corrected for all comparisons of the table p {say_p(row.p_adjusted)}"
        return f"{alone}; {corrected}, and a table with fewer may call it."
    at_look = 1.0 if row.p is None else row.p / float(share_of_look(np.array(row.look)))
    if at_look >= LEVEL:
        return f"{alone}; at look {row.look} of a growing run p {say_p(row.p_of_claims)}."
    return f"{alone}; beside the usual spread of its test p {say_p(row.p_of_claims)}."


def _rounds(more: int | None, repeated: str, do: str) -> str:
    if more is None:
        return f"Not even 10 000 more {repeated}s would {do}."
    return f"About {more} more {repeated}{'' if more == 1 else 's'} on each side would {do}."


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
