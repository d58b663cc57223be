"""Records programs whose run is the measurement (mkfs, mount, fsck): their times and their output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Callable, Union

from benchagent import formats
from benchagent.documents.records import ParsedOutput, RawOutput, Round, RoundEvidence
from benchagent.filesystems import named
from benchagent.formats import Parsed, Result
from benchagent.formats.model import FAILED, Param
from benchagent.plan.model import PREPARATION
from benchagent.system.process import Outcome
from benchagent.system.programs import version_of
from benchagent.targets.prepared_target import PreparedTarget

from .evidence import Usage

PREPARED = "prepare.txt"  # the artifact that holds the steps of the preparation
TEXT = "text/plain"
TestParams = Union[Mapping[str, Param], None]
METRICS = ("elapsed", "user_time", "system_time")


@dataclass(frozen=True)
class Transcript:
    """The growing text of an artifact, and the results in its lines."""

    scrub: Callable[[str], str]
    lines: list[str] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def say(self, words: str) -> None:
        self.lines.extend(self.scrub(words).splitlines())

    def ran(self, outcome: Outcome) -> None:
        """Add a program's command line and its output."""
        self.say(f"$ {' '.join(outcome.command)}")
        self.say(outcome.stdout + outcome.stderr)
        if outcome.returncode:
            self.say(f"(exit code {outcome.returncode})")

    def timed(
        self, test: str, outcomes: Sequence[Outcome], params: TestParams = None, used: Usage | None = None
    ) -> None:
        """Add one test: the sums of the times of these programs, each from its start to its end."""
        sums = (
            sum(outcome.elapsed for outcome in outcomes),
            sum(outcome.user_seconds for outcome in outcomes),
            sum(outcome.system_seconds for outcome in outcomes),
        )
        for metric, seconds in zip(METRICS, sums):
            self.measured(Result(test, metric, "s", (round(seconds, 6),), params=params or {}, evidence=used or {}))

    def measured(self, result: Result) -> None:
        """Add one number on a separate line."""
        self.lines.append(f"{result.test} {result.metric} {result.values[0]} {result.unit}")
        self.results.append(result._replace(lines=(len(self.lines),)))

    def failed(self, test: str, words: str, params: TestParams = None) -> None:
        """Add one test that failed, with the reason."""
        reason = self.scrub(words)
        self.lines.append(f"{test} failed: {reason}")
        self.results.append(Result(test, "elapsed", "s", (None,), params=params or {}, status=FAILED, error=reason))

    def reading(self, artifact: str, tool: str, version: str | None) -> ParsedOutput:
        return ParsedOutput(artifact, Parsed(tool, version, None, tuple(self.results), (), formats.PARSER_VERSION))

    def output(self, artifact: str) -> RawOutput:
        return RawOutput(artifact, TEXT, "\n".join(self.lines) + "\n")


def read_preparation(
    prepared_target: PreparedTarget,
    file_system: str,
    scrub: Callable[[str], str],
    number: int,
    position: int,
    evidence: RoundEvidence | None,
) -> Round:
    """The round of the preparation's point: mkfs and mount of an image or device, already done and timed."""
    transcript = Transcript(scrub)
    for step in prepared_target.steps:
        transcript.ran(step.outcome)
        transcript.timed(step.test, [step.outcome])
    name = f"round-{number + 1}/{PREPARED}"
    return Round(
        started_at=prepared_target.steps[0].outcome.started_at,
        elapsed=sum(step.outcome.elapsed for step in prepared_target.steps),
        position=position,
        readings=(transcript.reading(name, PREPARATION, version_of(named(file_system).program)),),
        evidence=evidence,
        artifacts=(transcript.output(name),),
    )


def failed_preparation(test: str, error: str) -> ParsedOutput:
    """The results of a preparation that failed in this step."""
    result = Result(test, "elapsed", "s", (None,), status=FAILED, error=error)
    return ParsedOutput("", Parsed(PREPARATION, None, None, (result,), (), formats.PARSER_VERSION))
