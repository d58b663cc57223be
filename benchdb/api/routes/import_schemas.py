"""The documents of `/api/v1/imports`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import WithJsonSchema

from benchdb.api.text_types import BodyText, ShortText
from benchdb.ingest.models import FileState, ImportState
from benchdb.wording.names import MOST_LABELS

# OpenAPI lists the states in the field itself, as in the other answers, and has no separate schema for them.
FileStateOut = Annotated[FileState, WithJsonSchema({"enum": FileState.values, "title": "State", "type": "string"})]
KnownState = Annotated[ImportState, WithJsonSchema({"enum": ImportState.values, "title": "State", "type": "string"})]
FileNumber = Annotated[int, Field(ge=0, le=10_000)]


class FileOut(Schema):
    """One file; what a file that was not read has not is null. `line` and `column` are where reading it ended."""

    number: int
    name: str
    size: int
    state: FileStateOut
    reason: str | None
    line: int | None
    column: int | None
    tool: str | None
    tool_version: str | None
    command: str | None
    parameters: dict[str, object] | None
    results: int
    rounds: int
    warnings: list[str]
    unread: list[tuple[int, str]]


class ImportedRun(Schema):
    """A run that was, or is being, stored."""

    run_id: UUID
    url: str


class ImportOut(Schema):
    """An import; `faults` say why it could not be stored when that was tried last."""

    id: UUID
    url: str
    state: KnownState
    version: str
    files: list[FileOut]
    left_out: list[tuple[str, str]]
    faults: list[tuple[str, str]]
    runs: list[ImportedRun]


class ImportStateOut(Schema):
    """`version` changes whenever anything does that the import's page shows; `text` says how far it is."""

    state: str
    version: str
    percent: int | None
    text: str


class ResultOut(Schema):
    """One result in base units; `lines[i]` is where `values[i]` stands in the raw text."""

    test: str
    metric: str
    unit: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: dict[str, object]
    values: list[float | None]
    lines: list[int]
    status: str
    error: str | None


class ResultsOut(Schema):
    """A part of a file's results; `next` is the `start` of the part after it."""

    results: list[ResultOut]
    next: int | None


class StoreIn(Schema):
    """Facts, and what a run is; see docs/import.md."""

    machine: ShortText
    runs: Literal["own", "rounds", "folders"] = "own"
    leave_out: Annotated[list[FileNumber], Field(max_length=1000)] = []
    labels: Annotated[dict[ShortText, ShortText], Field(max_length=MOST_LABELS)] = {}
    visibility: Literal["private", "unlisted", "public"] | None = None
    measured_at: datetime | None = None
    cache: Literal["uncontrolled", "cold", "warm"] = "uncontrolled"
    prepare: Literal["none", "mkfs", "restore", "remount"] = "none"
    facts: Annotated[dict[ShortText, BodyText], Field(max_length=64)] = {}
    detect: dict[str, object] | None = None
