"""Sentences with the reasons of a gate's verdicts."""

from __future__ import annotations

from benchdb.stats import Verdict
from benchdb.stats.gate import GateVerdict, Undecided
from benchdb.stats.sentences import NO_VERDICTS
from benchdb.wording.changes import change_in_words
from benchdb.wording.numbers import say_changes

from .sentences import say_p


def why_of_gate(found: GateVerdict, metric: str, margin: float) -> str:
    """The verdict, the difference with its interval, and the rounds that decided, or why they do not."""
    if found.reason is not None:
        return NO_VERDICTS[found.reason]
    change, bounds = change_and_interval(found)
    interval = f"(95 % interval {bounds}, {found.rounds} rounds)"
    if found.verdict is Verdict.EQUIVALENT:
        return f"Equivalent: the difference is {change} {interval}, too small to matter."
    words = change_in_words(metric, change)
    if found.undecided is Undecided.MARGIN:
        return f"Worse, but perhaps by less than {100 * margin:g} %: {words} {interval}."
    if found.verdict is Verdict.INCONCLUSIVE:
        return f"Inconclusive: the difference is {change} {interval}{_why_dependent(found)}."
    return f"{found.verdict.value.capitalize()}: {words} {interval}, corrected p {say_p(found.p_adjusted)}."


def _why_dependent(found: GateVerdict) -> str:
    if found.undecided is not Undecided.DEPENDENT:
        return ""
    if found.level_change is None:
        return ", and each round resembles the one before"
    before, after = say_changes(found.level_change.before, found.level_change.after)
    return f", but its level changed after round {found.level_change.round}, from {before} to {after}"


def change_and_interval(found: GateVerdict) -> tuple[str, str]:
    """`−8.3 %` and `−9.1 % to −7.5 %`; empty without a ratio."""
    if found.ratio is None or found.low is None or found.high is None:
        return "", ""
    change, low, high = say_changes(found.ratio, found.low, found.high)
    return change, f"{low} to {high}"
