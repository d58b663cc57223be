"""What was measured, before it becomes documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .formats import Parsed, Result
from .plan import Point


@dataclass(frozen=True)
class RawOutput:
    """One artifact: what a tool printed, scrubbed."""

    name: str
    media_type: str
    text: str


@dataclass(frozen=True)
class Round:
    """One point measured once. `parsed` has results of one value each, whose `lines` are those of `artifacts[0]`.

    `position` is the place in the order in which the campaign measured, from 0. `elapsed` is in seconds.
    """

    started_at: datetime
    elapsed: float
    position: int
    parsed: Parsed | None = None
    error: str | None = None
    evidence: Mapping[str, Any] | None = None
    artifacts: tuple[RawOutput, ...] = ()

    @property
    def results(self) -> tuple[Result, ...]:
        return self.parsed.results if self.parsed else ()


@dataclass
class Record:
    """All rounds of one point. Facts that a campaign finds once are those of the first round that knew them.

    `files` are the texts that the workload's parameters name.
    """

    point: Point
    rounds: list[Round] = field(default_factory=list)
    command: tuple[str, ...] = ()
    files: tuple[RawOutput, ...] = ()
    target: Mapping[str, Any] | None = None
    state_before: Mapping[str, Any] | None = None
    skipped: str | None = None

    @property
    def failed(self) -> int:
        """How many rounds failed."""
        return sum(each.error is not None for each in self.rounds)

    @property
    def parsed(self) -> Parsed | None:
        """The first output that could be read: tool version and clock are the same in all of them."""
        return next((each.parsed for each in self.rounds if each.parsed), None)

    @property
    def warnings(self) -> list[str]:
        """What the parser could not read, with the round."""
        return [
            f"round {number}: {warning}"
            for number, each in enumerate(self.rounds, start=1)
            for warning in (each.parsed.warnings if each.parsed else ())
        ]
