"""Verdicts of a gate, which the server computes from the values of rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchagent.verdicts import VERDICTS

from .checked import checked, record


@dataclass(frozen=True)
class GateTest:
    """One test of a gate; the values of both sides by round, in base units, None in rounds without one.

    `place` is the target and the workload that measure it, without the side; `name` tells it from the others there.
    """

    place: str
    name: str
    metric: str
    baseline: Sequence[float | None]
    candidate: Sequence[float | None]

    @property
    def full_name(self) -> str:
        return f"{self.place} {self.name}"


@dataclass(frozen=True)
class GateJudgement:
    """The verdict on a test: what is printed of `GateTestOut` of the API.

    `verdict` is better, worse, equivalent, inconclusive or none. `text` says it as a sentence.
    """

    verdict: str
    rounds_seen: int
    change: str
    interval: str
    text: str


@dataclass(frozen=True)
class GateAnswer:
    """The answer to one look: a verdict for each test, in their order."""

    least_rounds: int
    verdicts: tuple[GateJudgement, ...]


def answered(content: Mapping[str, Any], tests: int) -> GateAnswer:
    """The answer about so many tests. Raises one of MISSHAPEN."""
    verdicts = tuple(record(GateJudgement, each) for each in content["verdicts"])
    if len(verdicts) != tests or not all(each.verdict in VERDICTS for each in verdicts):
        raise ValueError("expected a verdict for each test")
    return GateAnswer(checked(content["least_rounds"], "int"), verdicts)


def asked(tests: Sequence[GateTest], looks: Sequence[int], planned: int, margin: float) -> dict[str, object]:
    """The body of the question."""
    return {
        "tests": [
            {
                "name": test.full_name[:500],
                "metric": test.metric,
                "baseline_values": list(test.baseline),
                "candidate_values": list(test.candidate),
            }
            for test in tests
        ],
        "looks": list(looks),
        "planned": planned,
        "margin": margin,
    }
