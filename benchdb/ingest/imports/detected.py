"""Reads the output of `benchagent detect --json`, whose facts a person need not enter."""

from __future__ import annotations

from typing import TypedDict

from benchdb.facts.stored import StoredEnvironment, StoredTarget
from benchdb.ingest.contract.document import Machine
from benchdb.ingest.contract.environment import Environment
from benchdb.ingest.contract.faults import Fault, FaultyDocument
from benchdb.ingest.contract.field_types import Section
from benchdb.ingest.contract.json_text import Raw, parse
from benchdb.ingest.contract.schema import check_schema
from benchdb.ingest.contract.storable_text import check_text
from benchdb.ingest.contract.target import Target

SCHEMA = "benchagent.detect/1"
MOST_BYTES = 4 * 1024 * 1024
MOST_FAULTS = 20


class FaultyFacts(Exception):
    """The output cannot be used; `faults` are sentences, each with the position of the fault."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


class DetectedMachine(TypedDict):
    name: str
    machine_id: str


class DetectedSections(TypedDict):
    """What `benchagent detect --json` prints, as a document has it; `machine` is None if it was not detected."""

    machine: DetectedMachine | None
    environment: StoredEnvironment
    target: StoredTarget


class _Detected(Section):
    machine: Machine | None = None
    environment: Environment
    target: Target


def read_detected(content: bytes) -> DetectedSections:
    """The facts in this output. Raises FaultyFacts with every fault."""
    if len(content) > MOST_BYTES:
        raise FaultyFacts(["it is larger than 4 MiB; expected what `benchagent detect --json` prints"])
    try:
        raw = parse(content.removeprefix(b"\xef\xbb\xbf"))
    except FaultyDocument as error:
        raise FaultyFacts([_sentence(fault) for fault in error.faults]) from None
    if raw.get("schema") != SCHEMA:
        raise FaultyFacts([f"it is not what `benchagent detect --json` prints: its schema is not {SCHEMA}"])
    facts: Raw = {name: raw[name] for name in ("machine", "environment", "target") if name in raw}
    detected, faults = check_schema(facts, _Detected, SCHEMA)
    faults = [*check_text(facts), *faults]
    if detected is None or faults:
        raise FaultyFacts([_sentence(fault) for fault in faults[:MOST_FAULTS]])
    checked = detected.model_dump(mode="json")
    return {"machine": checked["machine"], "environment": checked["environment"], "target": checked["target"]}


def _sentence(fault: Fault) -> str:
    position = fault.pointer.removeprefix("/") or "the file"
    return f"{position}: expected {fault.expected}"
