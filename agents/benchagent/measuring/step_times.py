"""Programs whose run is the measurement (mkfs, mount, fsck): their times as results, their words as the artifact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Callable, Union

from benchagent import formats
from benchagent.documents.records import ParsedOutput, RawOutput, Round
from benchagent.formats import Parsed, Result
from benchagent.formats.model import FAILED, Param
from benchagent.plan.model import PREPARATION
from benchagent.system.process import Outcome
from benchagent.targets.file_systems import FILE_SYSTEMS
from benchagent.targets.prepared_target import PreparedTarget

from .evidence import Usage

PREPARED = "prepare.txt"  # the artifact that holds the steps of the preparation
TEXT = "text/plain"
TestParams = Union[Mapping[str, Param], None]
METRICS = ("elapsed", "user_time", "system_time")


@dataclass(frozen=True)
class Transcript:
    """The text of an artifact as it grows, and the results that stand in its lines."""

    scrub: Callable[[str], str]
    lines: list[str] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def say(self, words: str) -> None:
        self.lines.extend(self.scrub(words).splitlines())

    def ran(self, outcome: Outcome) -> None:
        """What was run and what it printed."""
        self.say(f"$ {' '.join(outcome.command)}")
        self.say(outcome.stdout + outcome.stderr)
        if outcome.returncode:
            self.say(f"(exit code {outcome.returncode})")

    def timed(
        self, test: str, outcomes: Sequence[Outcome], params: TestParams = None, used: Usage | None = None
    ) -> None:
        """One test: the times of these programs together, each from its start to its end."""
        sums = (
            sum(each.elapsed for each in outcomes),
            sum(each.user_seconds for each in outcomes),
            sum(each.system_seconds for each in outcomes),
        )
        for metric, seconds in zip(METRICS, sums):
            self.measured(Result(test, metric, "s", (round(seconds, 6),), params=params or {}, evidence=used or {}))

    def measured(self, result: Result) -> None:
        """One number, on a line of its own."""
        self.lines.append(f"{result.test} {result.metric} {result.values[0]} {result.unit}")
        self.results.append(replace(result, lines=(len(self.lines),)))

    def failed(self, test: str, words: str, params: TestParams = None) -> None:
        """One test that gave no times, and why."""
        said = self.scrub(words)
        self.lines.append(f"{test} failed: {said}")
        self.results.append(Result(test, "elapsed", "s", (None,), params=params or {}, status=FAILED, error=said))

    def reading(self, artifact: str, tool: str, version: str | None) -> ParsedOutput:
        return ParsedOutput(artifact, Parsed(tool, version, None, tuple(self.results), (), formats.PARSER_VERSION))

    def output(self, artifact: str) -> RawOutput:
        return RawOutput(artifact, TEXT, "\n".join(self.lines) + "\n")


def read_preparation(
    place: PreparedTarget,
    file_system: str,
    scrub: Callable[[str], str],
    number: int,
    position: int,
    evidence: Usage | None,
) -> Round:
    """The round of an image's or device's own point: its mkfs and its mount, already done and timed."""
    transcript = Transcript(scrub)
    for step in place.steps:
        transcript.ran(step.outcome)
        transcript.timed(step.test, [step.outcome])
    name = f"round-{number + 1}/{PREPARED}"
    return Round(
        started_at=place.steps[0].outcome.started_at,
        elapsed=sum(step.outcome.elapsed for step in place.steps),
        position=position,
        readings=(transcript.reading(name, PREPARATION, FILE_SYSTEMS[file_system].version()),),
        evidence=evidence,
        artifacts=(transcript.output(name),),
    )


def failed_preparation(test: str, error: str) -> ParsedOutput:
    """Stands for the results of a preparation that failed in this step."""
    result = Result(test, "elapsed", "s", (None,), status=FAILED, error=error)
    return ParsedOutput("", Parsed(PREPARATION, None, None, (result,), (), formats.PARSER_VERSION))
