"""Sentences with the reasons of a gate's verdicts."""

from typing import Any

import pytest

from benchdb.compare.verdicts.gates import why_of_gate
from benchdb.stats import Verdict
from benchdb.stats.comparing.verdict import NoVerdict
from benchdb.stats.gate import DifferenceChange, GateVerdict, Undecided
from benchdb.stats.sentences import NO_VERDICTS

FIGURES = {"ratio": 0.96, "low": 0.95, "high": 0.97, "p_adjusted": 0.0004}
SHOWN = "−4.0 % (95 % interval −5.0 % to −3.0 %, 24 rounds)"


@pytest.mark.parametrize(
    ("verdict", "more", "sentence"),
    [
        (
            Verdict.WORSE,
            {},
            "Worse: 4.0 % less throughput (95 % interval −5.0 % to −3.0 %, 24 rounds), corrected p = 0.0004.",
        ),
        (Verdict.EQUIVALENT, {}, f"Equivalent: the difference is {SHOWN}, too small to matter."),
        (Verdict.INCONCLUSIVE, {}, f"Inconclusive: the difference is {SHOWN}."),
        (
            Verdict.INCONCLUSIVE,
            {"undecided": Undecided.MARGIN},
            "Worse, but perhaps by less than 5 %: 4.0 % less throughput (95 % interval −5.0 % to −3.0 %, 24 rounds).",
        ),
        (
            Verdict.INCONCLUSIVE,
            {"undecided": Undecided.DEPENDENT, "level_change": DifferenceChange(12, 0.9, 1.01)},
            f"Inconclusive: the difference is {SHOWN}, but its level changed after round 12, from −10.0 % to +1.0 %.",
        ),
        (
            Verdict.INCONCLUSIVE,
            {"undecided": Undecided.DEPENDENT},
            f"Inconclusive: the difference is {SHOWN}, and each round resembles the one before.",
        ),
    ],
)
def test_each_verdict_says_its_reason(verdict: Verdict, more: dict[str, Any], sentence: str) -> None:
    assert why_of_gate(GateVerdict(verdict, None, 24, 24, **FIGURES, **more), "throughput", 0.05) == sentence


def test_no_verdict_says_why() -> None:
    found = GateVerdict(Verdict.NONE, NoVerdict.NOT_MEASURED, 8, 0)
    assert why_of_gate(found, "throughput", 0.05) == NO_VERDICTS[NoVerdict.NOT_MEASURED]
