"""Verdicts of a gate, which the server computes from the values of rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict


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


class GateJudgement(TypedDict):
    """The verdict on a test, as `GateTestOut` of the API; a newer server may add fields.

    `verdict` is better, worse, equivalent, inconclusive or none. `text` says it as a sentence.
    """

    name: str
    verdict: str
    rounds_seen: int
    pairs: int
    ratio: float | None
    low: float | None
    high: float | None
    p_adjusted: float | None
    change: str
    interval: str
    text: str


class GateAnswer(TypedDict):
    """The answer to one look."""

    level: float
    least_rounds: int
    verdicts: Sequence[GateJudgement]


class TokenJson(TypedDict):
    """The rights of a token."""

    name: str
    scopes: Sequence[str]


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
