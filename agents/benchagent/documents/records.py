"""The measured points and their rounds, before they become documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from benchagent.formats import Parsed, Result
from benchagent.inventory import Environment, MachineIdentity, TargetFacts, TargetState
from benchagent.plan.model import Plan, Point
from benchagent.toml.tables import Parameters

from .ids import uuid7
from .shape import RunDocument


@dataclass(frozen=True)
class CampaignFrame:
    """The facts that all documents of one campaign share."""

    plan: Plan
    campaign_id: str
    machine: MachineIdentity
    environment: Environment
    labels: Mapping[str, str] = field(default_factory=dict)
    visibility: str | None = None


@dataclass(frozen=True)
class RawOutput:
    """One artifact: the scrubbed output of a tool."""

    name: str
    media_type: str
    text: str


@dataclass(frozen=True)
class ParsedOutput:
    """The parsed output of one invocation. Each result has one value; its `lines` are line numbers of `artifact`.

    `emptied` holds the indices of the results that were measured right after the caches were emptied.
    """

    artifact: str
    parsed: Parsed
    emptied: frozenset[int] = frozenset()


@dataclass(frozen=True)
class RoundEvidence:
    """What the agent observed beside the tool's own numbers; the fields of the contract's `evidence`.

    `usage` has the fields that can be summed: seconds, bytes and counts. `disturbances` counts events by kind. `smart`
    has facts of disks.
    """

    usage: Mapping[str, float] = field(default_factory=dict)
    kernel_messages: tuple[str, ...] = ()
    disturbances: Mapping[str, int] = field(default_factory=dict)
    noise: Mapping[str, float | str] = field(default_factory=dict)
    smart: tuple[Mapping[str, str | float], ...] = ()

    def as_json(self) -> dict[str, object]:
        """The `evidence` of a document, without fields that hold nothing."""
        others = {
            "kernel_messages": list(self.kernel_messages),
            "disturbances": dict(self.disturbances),
            "noise": dict(self.noise),
            "smart": [dict(fact) for fact in self.smart],
        }
        return {**self.usage, **{name: value for name, value in others.items() if value}}


@dataclass(frozen=True)
class SampledSeries:
    """A quantity of `formats.sampled` while a round ran; `packed` are its points (formats/packing/series.py).

    Point i is of the time `start` + (i + 1) · `step`, in seconds after the beginning of the round. Point × `scale` is
    in the base unit. `source` is the file of the kernel; a tool's own series name their `test`, those of one disk among
    several their `device`.
    """

    name: str
    source: str
    start: float
    step: float
    scale: float
    points: int
    packed: str
    test: str | None = None
    device: str | None = None


@dataclass(frozen=True)
class Round:
    """One measurement of a point, by one or several invocations.

    `position` counts the campaign's measurements in their order, from 0. `elapsed` is in seconds. `filled` is the state
    of a target that was filled for the measurement.
    """

    started_at: datetime
    elapsed: float
    position: int
    readings: tuple[ParsedOutput, ...] = ()
    error: str | None = None
    evidence: RoundEvidence | None = None
    artifacts: tuple[RawOutput, ...] = ()
    series: tuple[SampledSeries, ...] = ()
    filled: TargetState | None = None

    @property
    def results(self) -> Iterator[tuple[Result, ParsedOutput, bool]]:
        """Each result, the output that it comes from, and whether the caches were emptied before its measurement."""
        for reading in self.readings:
            for number, result in enumerate(reading.parsed.results):
                yield result, reading, number in reading.emptied


class Rounds(Protocol):
    """The rounds of one point in their order: a list, or `StoredRounds` of the spool, which keeps them in a file."""

    def append(self, measured: Round, /) -> None: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Round]: ...


@dataclass
class PointRecord:
    """All rounds of one point, and the facts that its run document holds besides them.

    `run_id` is the id of that document. `command` and `parameters` describe the workload; `files` are the texts that
    the parameters name. All three are scrubbed. `target` and `state_before` come from the first round that detected
    them.
    """

    point: Point
    rounds: Rounds = field(default_factory=list[Round])
    run_id: str = field(default_factory=uuid7)
    command: tuple[str, ...] = ()
    parameters: Parameters = field(default_factory=dict)
    files: tuple[RawOutput, ...] = ()
    target: TargetFacts | None = None
    state_before: TargetState | None = None
    skipped: str | None = None
    earlier: RunDocument | None = None  # the document of the run that the rounds continue
    ended_by: str = "stopped"  # ended by `rounds`, `time_budget`, `precision`, `verdicts`; the default: not yet

    @property
    def failed(self) -> int:
        """Number of failed rounds."""
        return sum(measured.error is not None for measured in self.rounds)

    @property
    def parsed(self) -> Parsed | None:
        """The first parsed output, for the tool version and clock, which are the same in all outputs."""
        return next((reading.parsed for measured in self.rounds for reading in measured.readings), None)

    @property
    def warnings(self) -> list[str]:
        """The parser's warnings, each with the artifact that it is about."""
        return [
            f"{reading.artifact}: {warning}"
            for measured in self.rounds
            for reading in measured.readings
            for warning in reading.parsed.warnings
        ]
