"""Sentences with the reasons of a gate's verdicts."""

from __future__ import annotations

from benchdb.stats import Verdict
from benchdb.stats.gate import GateVerdict, Undecided
from benchdb.stats.sentences import NO_VERDICTS
from benchdb.wording.changes import effect_in_words, in_percent

from .sentences import say_p


def why_of_gate(found: GateVerdict, metric: str, margin: float) -> str:
    """The verdict, the difference with its interval, and the rounds that decided, or why they do not."""
    if found.reason is not None:
        return NO_VERDICTS[found.reason]
    assert found.ratio is not None  # there is one without a reason
    words = effect_in_words(metric, found.ratio, found.low, found.high)
    change = f"{words.phrase} (95 % interval {words.interval}, {found.rounds} rounds)"
    if found.verdict is Verdict.EQUIVALENT:
        return f"Equal within {100 * margin:g} %: {change}."
    if found.undecided is Undecided.MARGIN:
        return f"Worse, but perhaps by less than {100 * margin:g} %: {change}."
    if found.verdict is Verdict.INCONCLUSIVE:
        return f"Undecided: {change}{_why_dependent(found, metric)}."
    return f"{found.verdict.value.capitalize()}: {change}, corrected p {say_p(found.p_adjusted)}."


def _why_dependent(found: GateVerdict, metric: str) -> str:
    if found.undecided is not Undecided.DEPENDENT:
        return ""
    if found.level_change is None:
        return ", and each round resembles the one before"
    levels = found.level_change.before, found.level_change.after
    before, after = (effect_in_words(metric, level, percent=in_percent(levels)).change for level in levels)
    return f", but its level changed after round {found.level_change.round}, from {before} to {after}"
