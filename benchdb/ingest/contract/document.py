"""The result document as a whole: one run, its rounds, its results and the raw output they were read from."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from benchagent.formats.sampled import MOST_SERIES
from benchdb.wording.names import MOST_LABELS

from .environment import Environment
from .field_types import (
    MAX_QUANTITY,
    Count,
    Extra,
    LongText,
    Many,
    Name,
    Scalar,
    Section,
    ShortName,
    Text,
)
from .result import MOST_RESULTS, MOST_ROUNDS, Evidence, Result, ResultsAsColumns
from .series import SentSeries
from .target import StateBefore, Target

SCHEMA = "benchdb.run/1"

EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-5]):[0-5]\d)", re.ASCII)


def _iso_8601(value: object) -> str:
    """Accept only text with date, time and offset; by default pydantic reads numbers as seconds since 1970."""
    if isinstance(value, str) and _TIME.fullmatch(value):
        return value
    raise PydanticCustomError("timestamp", "a time in ISO 8601 with its offset, such as 2026-11-20T20:01:55+00:00")


Timestamp = Annotated[AwareDatetime, Field(strict=False, ge=EARLIEST, lt=LATEST), BeforeValidator(_iso_8601)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
PATH_PART = "[A-Za-z0-9_+-][A-Za-z0-9_+.-]*"  # no dot in front: an export writes files under these names


class Agent(Section):
    version: Name


class CampaignPoint(Section):
    id: Annotated[UUID, Field(strict=False)]
    point: Name


class Machine(Section):
    name: Name
    machine_id: Sha256


class Workload(Section):
    tool: Annotated[str, StringConstraints(max_length=64, pattern=r"^[a-z][a-z0-9_.+-]*$")]
    tool_version: Name | None
    command: list[LongText] = Field(max_length=4096)
    parser_version: ShortName | None = None
    clock_resolution: Annotated[float, Field(gt=0, le=MAX_QUANTITY)] | None = (
        None  # seconds of one tick, if the tool reports them
    )
    parameters: dict[Name, Scalar | list[Scalar]] = Field(default_factory=dict, max_length=256)


class Protocol(Section):
    """How the run was measured; null if nobody knows, as of figures that an article printed."""

    cache: Literal["cold", "warm", "uncontrolled"] | None
    warmup_discarded: Count | None = 0
    order: Literal["rotated", "interleaved", "shuffled", "sequential"] | None
    prepare: Literal["mkfs", "restore", "remount", "none"] | None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None
    precision: Annotated[float, Field(gt=0, le=MAX_QUANTITY)] | None = None  # the requested precision, a ratio
    ended_by: Literal["rounds", "time_budget", "precision", "verdicts", "stopped"] | None = None  # why the rounds ended


class Round(Section):
    started_at: Timestamp
    position: Count  # among the campaign's points in the order of measuring, counted from 0
    status: Literal["ok", "failed"]
    error: Text | None = None
    evidence: Evidence | None = None


class Artifact(Section):
    name: Annotated[str, StringConstraints(max_length=200, pattern=rf"^{PATH_PART}(/{PATH_PART})*$")]
    media_type: Annotated[str, StringConstraints(max_length=100, pattern=r"^[a-z]+/[A-Za-z0-9.+-]+$")]
    encoding: Literal["utf-8", "base64"]
    data: str
    sha256: Sha256  # of the decoded bytes


class Continues(Section):
    """The run that a document extends by further rounds; the document contains all of its rounds first."""

    run_id: Annotated[UUID, Field(strict=False)]
    look: Annotated[int, Field(ge=2, le=1000)]  # how often the growing run was looked at, this document included
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)]  # of the continued run


class Frame(Section):
    """A document without its results."""

    run_id: Annotated[UUID, Field(strict=False)]
    schema_: Literal["benchdb.run/1"] = Field(alias="schema")
    started_at: Timestamp
    finished_at: Timestamp
    agent: Agent
    campaign: CampaignPoint | None = None
    continues: Continues | None = None
    labels: dict[Name, Name] = Field(default_factory=dict, max_length=MOST_LABELS)
    visibility: Literal["private", "unlisted", "public"] | None = None
    machine: Machine
    environment: Environment
    target: Target
    state_before: StateBefore
    workload: Workload
    protocol: Protocol
    rounds: Many[Round] = Field(max_length=MOST_ROUNDS)
    series: Many[SentSeries] = Field(default_factory=list, max_length=MOST_SERIES)
    artifacts: Many[Artifact] = Field(max_length=100_000)
    extra: Extra = Field(default_factory=dict)


class Document(Frame):
    """A whole document, for the published JSON Schema. `validate` checks the frame and the results apart."""

    results: ResultsAsColumns | Annotated[list[Result], Field(min_length=1, max_length=MOST_RESULTS)]
