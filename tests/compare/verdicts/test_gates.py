"""Sentences with the reasons of a gate's verdicts."""

from typing import Any

import pytest

from benchdb.compare.verdicts.gates import why_of_gate
from benchdb.stats import Verdict
from benchdb.stats.comparing.verdict import NoVerdict
from benchdb.stats.gate import DifferenceChange, GateVerdict, Undecided
from benchdb.stats.sentences import NO_VERDICTS

FIGURES = {"ratio": 0.96, "low": 0.95, "high": 0.97, "p_adjusted": 0.0004}
SHOWN = "4 % slower (95 % interval 3 % to 5 %, 24 rounds)"


@pytest.mark.parametrize(
    ("verdict", "more", "sentence"),
    [
        (
            Verdict.WORSE,
            {},
            f"Worse: {SHOWN}, corrected p = 0.0004.",
        ),
        (Verdict.EQUIVALENT, {}, f"Equal within 5 %: {SHOWN}."),
        (Verdict.INCONCLUSIVE, {}, f"Undecided: {SHOWN}."),
        (
            Verdict.INCONCLUSIVE,
            {"undecided": Undecided.MARGIN},
            f"Worse, but perhaps by less than 5 %: {SHOWN}.",
        ),
        (
            Verdict.INCONCLUSIVE,
            {"undecided": Undecided.DEPENDENT, "level_change": DifferenceChange(12, 0.9, 1.01)},
            f"Undecided: {SHOWN}, but its level changed after round 12, from 10.0 % slower to 1.0 % faster.",
        ),
        (
            Verdict.INCONCLUSIVE,
            {"undecided": Undecided.DEPENDENT},
            f"Undecided: {SHOWN}, and each round resembles the one before.",
        ),
    ],
)
def test_each_verdict_says_its_reason(verdict: Verdict, more: dict[str, Any], sentence: str) -> None:
    assert why_of_gate(GateVerdict(verdict, None, 24, 24, **FIGURES, **more), "throughput", 0.05) == sentence


def test_no_verdict_says_why() -> None:
    found = GateVerdict(Verdict.NONE, NoVerdict.NOT_MEASURED, 8, 0)
    assert why_of_gate(found, "throughput", 0.05) == NO_VERDICTS[NoVerdict.NOT_MEASURED]
