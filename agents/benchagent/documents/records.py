"""What was measured, before it becomes documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from benchagent.formats import Parsed, Result
from benchagent.plan.model import Plan, Point

from .ids import uuid7


@dataclass(frozen=True)
class Frame:
    """What all documents of one campaign share."""

    plan: Plan
    campaign_id: str
    machine: Mapping[str, str]
    environment: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)
    visibility: str | None = None


@dataclass(frozen=True)
class RawOutput:
    """One artifact: what a tool printed, scrubbed."""

    name: str
    media_type: str
    text: str


@dataclass(frozen=True)
class Reading:
    """What one invocation printed, read. Its results have one value each; their `lines` are those of `artifact`.

    `emptied` are the numbers of the results that were measured right after the caches were emptied.
    """

    artifact: str
    parsed: Parsed
    emptied: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Round:
    """One point measured once, by one invocation or several.

    `position` is the place in the order in which the campaign measured, from 0. `elapsed` is in seconds.
    """

    started_at: datetime
    elapsed: float
    position: int
    readings: tuple[Reading, ...] = ()
    error: str | None = None
    evidence: Mapping[str, Any] | None = None
    artifacts: tuple[RawOutput, ...] = ()

    @property
    def results(self) -> Iterator[tuple[Result, Reading, bool]]:
        """Each result with the reading it stands in, and whether the caches were empty when it was measured."""
        for reading in self.readings:
            for number, result in enumerate(reading.parsed.results):
                yield result, reading, number in reading.emptied


class Rounds(Protocol):
    """The rounds of one point in order, in memory or in a file."""

    def append(self, measured: Round, /) -> None: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Round]: ...


@dataclass
class Record:
    """All rounds of one point. Facts that a campaign finds once are those of the first round that knew them.

    `run_id` is that of its document. `command` and `parameters` are what is recorded of its workload, and `files` the
    texts that the parameters name; private names are left out of all three.
    """

    point: Point
    rounds: Rounds = field(default_factory=list[Round])
    run_id: str = field(default_factory=uuid7)
    command: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[RawOutput, ...] = ()
    target: Mapping[str, Any] | None = None
    state_before: Mapping[str, Any] | None = None
    skipped: str | None = None
    ended_by: str = "stopped"  # what ended the rounds: `rounds`, `time_budget` or `precision`; nothing did yet

    @property
    def failed(self) -> int:
        """How many rounds failed."""
        return sum(each.error is not None for each in self.rounds)

    @property
    def parsed(self) -> Parsed | None:
        """The first output that could be read: tool version and clock are the same in all of them."""
        return next((reading.parsed for each in self.rounds for reading in each.readings), None)

    @property
    def warnings(self) -> list[str]:
        """What the parser could not read, with the place."""
        return [
            f"{reading.artifact}: {warning}"
            for each in self.rounds
            for reading in each.readings
            for warning in reading.parsed.warnings
        ]
