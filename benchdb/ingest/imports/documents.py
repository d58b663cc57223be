"""Makes `benchdb.run/1` documents from files that were read and from the entries of the form."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from uuid import UUID

from benchagent.formats.columns import ResultColumns
from benchagent.formats.model import Param
from benchagent.formats.rounds import RoundOutput
from benchdb import __version__
from benchdb.catalog.models import Machine
from benchdb.ingest.contract import SCHEMA
from benchdb.ingest.failed_rounds import merged
from benchdb.ingest.models import Import, ImportFile
from benchdb.runs.models.json_columns import StoredRound

from .detected import DetectedSections
from .facts import FactValue, sections
from .reading import ImportHead, parsed

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_+.-]+")
LONGEST_BASE = 120
LONGEST_TEXT = 200


@dataclass(frozen=True)
class ImportChoices:
    """The checked entries for an import; see form.StoreForm."""

    machine: str
    labels: Mapping[str, str]
    visibility: str
    measured_at: datetime | None
    cache: str
    prepare: str
    facts: Mapping[str, FactValue]
    detected: DetectedSections | None


def planned(files: Sequence[ImportFile], how: str, left_out: Iterable[int] = ()) -> list[list[ImportFile]]:
    """The files of each run. Files whose tool, version or parameters differ are never rounds of one run."""
    runs: dict[object, list[ImportFile]] = {}
    excluded = set(left_out)
    for file in files:
        if file.ordinal in excluded or file.state != "read":
            continue
        folder = str(PurePosixPath(file.name).parent) if how == "folders" else ""
        group = (folder, file.tool, file.head["tool_version"], json.dumps(file.head["parameters"], sort_keys=True))
        runs.setdefault(file.ordinal if how == "own" else group, []).append(file)
    return list(runs.values())


def run_id(draft: Import, number: int) -> UUID:
    """The id of an import's n-th run: a UUIDv7 with the time of the import, always the same."""
    milliseconds = int(draft.created_at.timestamp() * 1000)
    random = int.from_bytes(hashlib.sha256(f"{draft.pk}:{number}".encode()).digest()[:10])
    high, low = random >> 62 & 0xFFF, random & (1 << 62) - 1
    return UUID(int=(milliseconds & (1 << 48) - 1) << 80 | 7 << 76 | high << 64 | 2 << 62 | low)


def document(draft: Import, chosen: ImportChoices, id_: UUID, files: Sequence[ImportFile]) -> dict[str, object]:
    """One run. `files` have their text and results, and are of one tool, version and parameters."""
    time = (chosen.measured_at or draft.created_at).isoformat(timespec="microseconds")
    names = [_artifact_name(index, file.name) for index, file in enumerate(files)]
    rounds: list[StoredRound] = [
        {"started_at": time, "position": position, "status": "ok"}
        for position in range(sum(file.round_count for file in files))
    ]
    readings = _readings(files, names)
    environment, target = sections(chosen.facts, chosen.detected)
    return {
        "run_id": str(id_),
        "schema": SCHEMA,
        "started_at": time,
        "finished_at": time,
        "agent": {"version": __version__},
        "labels": dict(chosen.labels),
        "visibility": chosen.visibility,
        "machine": machine_of(draft, chosen),
        "environment": environment,
        "target": target,
        "state_before": {},
        "workload": _workload(files[0]),
        "protocol": {"cache": chosen.cache, "order": "sequential", "prepare": chosen.prepare},
        "rounds": rounds,
        "results": ResultColumns.of(merged(readings, rounds)).as_json(),
        "artifacts": [_artifact(name, bytes(file.content)) for name, file in zip(names, files, strict=True)],
        "extra": _extra(draft, chosen, files, names),
    }


def machine_of(draft: Import, chosen: ImportChoices) -> dict[str, str]:
    """The machine with the detected facts if it has this name, else the owner's of this name, else a new one."""
    detected = chosen.detected.get("machine") if chosen.detected else None
    if detected and detected["name"] == chosen.machine:
        return {"name": chosen.machine, "machine_id": detected["machine_id"]}
    machine = Machine.objects.filter(owner=draft.owner_id, name=chosen.machine).order_by("pk").first()
    derived_id = hashlib.sha256(f"import:{draft.owner_id}:{chosen.machine}".encode()).hexdigest()
    return {"name": chosen.machine, "machine_id": machine.machine_id if machine else derived_id}


def _readings(files: Sequence[ImportFile], names: Sequence[str]) -> list[RoundOutput]:
    """One reading per round of each file."""
    readings: list[RoundOutput] = []
    for file, name in zip(files, names, strict=True):
        whole = parsed(file.tool, file.head, bytes(file.reading or b""))
        readings += [RoundOutput(len(readings) + index, name, whole, index) for index in range(file.round_count)]
    return readings


def _artifact_name(index: int, name: str) -> str:
    base = _NOT_IN_NAMES.sub("_", PurePosixPath(name.replace("\\", "/")).name).lstrip(".")[-LONGEST_BASE:]
    return f"round-{index + 1}/{base.lstrip('.') or 'text'}"


def _artifact(name: str, content: bytes) -> dict[str, str]:
    """The content as text if it is UTF-8, so that pages can show it."""
    artifact = {"name": name, "sha256": hashlib.sha256(content).hexdigest(), "media_type": "text/plain"}
    if b"\x00" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        artifact["media_type"] = "application/octet-stream"
    try:
        return {**artifact, "encoding": "utf-8", "data": content.decode()}
    except UnicodeDecodeError:
        return {**artifact, "encoding": "base64", "data": base64.b64encode(content).decode()}


def _workload(file: ImportFile) -> dict[str, object]:
    head: ImportHead = file.head
    return {
        "tool": file.tool,
        "tool_version": head["tool_version"] and head["tool_version"][:LONGEST_TEXT],
        "command": _words(head["command"]),
        "parameters": {name: _short(value) for name, value in head["parameters"].items() if value != ""},
        "parser_version": head["parser_version"],
        "clock_resolution": head["clock_resolution"],
    }


def _words(command: str | None) -> list[str]:
    try:
        return shlex.split(command or "")
    except ValueError:  # a quote that is not closed: split at white space
        return (command or "").split()


def _short(value: Param) -> Param:
    return value[:LONGEST_TEXT] if isinstance(value, str) else value


def _extra(
    draft: Import, chosen: ImportChoices, files: Sequence[ImportFile], names: Sequence[str]
) -> dict[str, object]:
    warnings = [
        f"{file.name}: {warning}" if len(files) > 1 else warning for file in files for warning in file.head["warnings"]
    ]
    commands = sorted({file.head["command"] for file in files if file.head["command"]})
    if len(commands) > 1:
        warnings.append(f"the command lines of the rounds differ: {'; '.join(commands)[:1000]}")
    extra: dict[str, object] = {
        "import": {
            "imported_at": draft.created_at.isoformat(timespec="seconds"),
            "measured_at": chosen.measured_at and chosen.measured_at.isoformat(timespec="seconds"),
            "files": [{"name": file.name, "artifact": name} for file, name in zip(files, names, strict=True)],
        }
    }
    return {**extra, "parser_warnings": warnings} if warnings else extra
