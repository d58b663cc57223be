"""The outcome of a gate: its state, the verdicts and the failed rounds. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchagent.client.gate import GateJudgement, GateTest
from benchagent.progress import counted

from .looks import UNDECIDED, Looks
from .measured_tests import SidePair

PASSED, WORSE, FAILED, OUT_OF_BUDGET, STOPPED = "passed", "worse", "failed", "out of budget", "stopped"


@dataclass(frozen=True)
class GateFailure:
    """A workload on one side that failed in some rounds, or was skipped: then in all, and `rounds` is 0."""

    place: str
    side: str
    rounds: int
    of: int
    error: str

    def __str__(self) -> str:
        if not self.rounds:
            return f"{self.side} was skipped: {self.error}"
        return f"{self.side} failed in {self.rounds} of {counted(self.of, 'round')}: {self.error}"


@dataclass(frozen=True)
class GateOutcome:
    """The outcome. `state` is one of the words of this module; `link` is the address of the table, if it was shared."""

    name: str
    sides: tuple[str, str]
    state: str
    rounds: int
    tests: Sequence[tuple[GateTest, GateJudgement]]
    failures: Sequence[GateFailure]
    least_rounds: int = 0
    link: str | None = None
    remarks: Sequence[str] = ()

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        by_verdict = {kind: sum(each.verdict == kind for _, each in self.tests) for kind in ("worse", UNDECIDED)}
        of = f"of {counted(len(self.tests), 'test')}"
        new, old = self.sides[1], self.sides[0]
        if self.state == WORSE:
            return f"{new} is worse than {old} in {by_verdict['worse']} {of}."
        if self.state == FAILED:
            return f"{counted(len(self.failures), 'workload')} failed or could not be measured."
        if self.state == OUT_OF_BUDGET:
            return f"{by_verdict[UNDECIDED]} {of} undecided after {counted(self.rounds, 'round')}."
        if self.state == STOPPED:
            return f"Stopped after {counted(self.rounds, 'round')}."
        return f"{new} is not worse than {old} in any {of}."


def outcome_of(
    name: str, sides: tuple[str, str], looks: Looks, pairs: Sequence[SidePair], *, stopped: bool = False
) -> GateOutcome:
    """The outcome after the last look. A failed side counts more than an undecided test, and a worse test more."""
    failures = [failure for pair in pairs for failure in _failures(pair)]
    kinds = [each.verdict for each in looks.verdicts]
    if stopped:
        state = STOPPED
    elif "worse" in kinds:
        state = WORSE
    elif failures:
        state = FAILED
    else:
        undecided = UNDECIDED in kinds or all(kind == "none" for kind in kinds)
        state = OUT_OF_BUDGET if undecided else PASSED
    least = looks.answer.least_rounds if looks.answer is not None else 0
    return GateOutcome(name, sides, state, looks.rounds, list(zip(looks.tests, looks.verdicts)), failures, least)


def _failures(pair: SidePair) -> Iterator[GateFailure]:
    for record in pair.records:
        side = record.point.target.side
        name = side.name if side is not None else ""
        if record.skipped is not None:
            yield GateFailure(pair.place, name, 0, 0, record.skipped)
        elif record.failed:
            error = next(measured.error for measured in record.rounds if measured.error is not None)
            yield GateFailure(pair.place, name, record.failed, len(record.rounds), error)
