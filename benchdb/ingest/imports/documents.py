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
from itertools import count
from pathlib import PurePosixPath
from uuid import UUID

from benchagent.formats.columns import ResultColumns
from benchagent.formats.companions import base_name
from benchagent.formats.mmtests import log_of
from benchagent.formats.rounds import RoundOutput
from benchdb import __version__
from benchdb.catalog.models import Machine
from benchdb.facts.entries import EntryValue
from benchdb.facts.stored import StoredRound
from benchdb.ingest.contract import SCHEMA
from benchdb.ingest.failed_rounds import merged
from benchdb.ingest.models import Import, ImportFile
from benchdb.wording.names import label_faults

from .beside import RunFiles, groups_alone, is_beside, owner_of, series_of_run
from .detected import DetectedSections
from .facts import sections
from .reading import ImportHead, parsed
from .recorded import RecordedFacts

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_+.-]+")
LONGEST_BASE = 120
LONGEST_TEXT = 200
BESIDE = "logs/"
RUN_LABEL = "run"


@dataclass(frozen=True)
class ImportChoices:
    """The checked entries for an import; see form.StoreForm."""

    machine: str
    labels: Mapping[str, str]
    visibility: str
    measured_at: datetime | None
    cache: str
    prepare: str
    facts: Mapping[str, EntryValue]
    detected: DetectedSections | None


def planned(files: Sequence[ImportFile], how: str, left_out: Iterable[int] = ()) -> list[RunFiles]:
    """The files of each run. Outputs whose tool, version or parameters differ are never rounds of one run.

    Neither are outputs of different runs of mmtests. The same log of its iterations is rounds of one run; another file
    with the same log of the same iteration, such as a copy, is a run of its own.
    """
    excluded = set(left_out)
    read = [file for file in files if file.ordinal not in excluded and file.state == "read"]
    outputs = [file for file in read if not is_beside(file)]
    runs: dict[object, list[ImportFile]] = {}
    iterations: set[tuple[str, int]] = set()
    for file in outputs:
        log = log_of(file.name)
        iteration = (log.place, log.iteration) if log else ("", file.ordinal)
        together = file.ordinal if iteration in iterations else _together(file, how)
        iterations.add(iteration)
        workload = file.tool, file.head["tool_version"], json.dumps(file.head["parameters"], sort_keys=True)
        runs.setdefault((together, *workload), []).append(file)
    beside = [file for file in read if is_beside(file)]
    owners = {file.ordinal: owner_of(file, outputs) for file in beside}
    alone = groups_alone(file for file in beside if owners[file.ordinal] is None)
    return [
        *(RunFiles(of_run, _of_outputs(beside, owners, of_run)) for of_run in map(_in_order, runs.values())),
        *(RunFiles(group) for group in alone),
    ]


def _together(file: ImportFile, how: str) -> int | str:
    """What files that may be rounds of one run have in common; see form.RUNS."""
    log = log_of(file.name)
    if how == "own":
        return log.place if log else file.ordinal
    if how == "folders":
        return str(PurePosixPath(log.place if log else file.name).parent)
    return log.folder if log else ""


def _in_order(outputs: list[ImportFile]) -> list[ImportFile]:
    """The outputs in order of their iterations, whatever their order in the archive is."""
    logs = {file.ordinal: log_of(file.name) for file in outputs}
    return sorted(outputs, key=lambda file: log.iteration if (log := logs[file.ordinal]) else 0)


def recorded_of(run: RunFiles, draft: Import) -> RecordedFacts:
    """The facts that mmtests recorded beside the logs of a run."""
    log = log_of(run.outputs[0].name)
    recorded: dict[str, RecordedFacts] = draft.recorded or {}
    return recorded.get(log.folder, {}) if log else {}


def labels_of(run: RunFiles, own: Mapping[str, str]) -> dict[str, str]:
    """The labels of the person and, if there is room, one with the run of mmtests, so that runs can be compared."""
    log = log_of(run.outputs[0].name)
    named = {RUN_LABEL: log.run[:LONGEST_TEXT], **own} if log and log.run else own
    return dict(own if label_faults(named) else named)


def _of_outputs(
    beside: Sequence[ImportFile], owners: Mapping[int, ImportFile | None], outputs: Sequence[ImportFile]
) -> list[tuple[ImportFile, int]]:
    """The files beside these outputs, each with the index of its output."""
    return [(file, outputs.index(owner)) for file in beside if (owner := owners[file.ordinal]) in outputs and owner]


def run_id(draft: Import, number: int) -> UUID:
    """The id of an import's n-th run: a UUIDv7 with the time of the import, always the same."""
    milliseconds = int(draft.created_at.timestamp() * 1000)
    random = int.from_bytes(hashlib.sha256(f"{draft.pk}:{number}".encode()).digest()[:10])
    high, low = random >> 62 & 0xFFF, random & (1 << 62) - 1
    return UUID(int=(milliseconds & (1 << 48) - 1) << 80 | 7 << 76 | high << 64 | 2 << 62 | low)


def document(draft: Import, chosen: ImportChoices, id_: UUID, run: RunFiles) -> dict[str, object]:
    """One run. Its files have their text and results; the outputs are of one tool, version and parameters."""
    time = (chosen.measured_at or draft.created_at).isoformat(timespec="microseconds")
    rounds: list[StoredRound] = [
        {"started_at": time, "position": position, "status": "ok"} for position in range(run.rounds)
    ]
    names = _artifact_names(run)
    readings = _readings(run, names)
    series = series_of_run(run)
    environment, target = sections(chosen.facts, chosen.detected, recorded_of(run, draft))
    return {
        "run_id": str(id_),
        "schema": SCHEMA,
        "started_at": time,
        "finished_at": time,
        "agent": {"version": __version__},
        "labels": labels_of(run, chosen.labels),
        "visibility": chosen.visibility,
        "machine": machine_of(draft, chosen),
        "environment": environment,
        "target": target,
        "state_before": {},
        "workload": _workload(run.outputs[0]),
        "protocol": {"cache": chosen.cache, "order": "sequential", "prepare": chosen.prepare},
        "rounds": rounds,
        "results": ResultColumns.of(merged(readings, rounds)).as_json(),
        **({"series": series} if series else {}),
        "artifacts": [_artifact(name, bytes(file.content)) for name, file in zip(names, run.files, strict=True)],
        "extra": _extra(draft, chosen, run.files, names),
    }


def machine_of(draft: Import, chosen: ImportChoices) -> dict[str, str]:
    """The machine with the detected facts if it has this name, else the owner's of this name, else a new one."""
    detected = chosen.detected.get("machine") if chosen.detected else None
    if detected and detected["name"] == chosen.machine:
        return {"name": chosen.machine, "machine_id": detected["machine_id"]}
    machine = Machine.objects.filter(owner=draft.owner_id, name=chosen.machine).order_by("pk").first()
    derived_id = hashlib.sha256(f"import:{draft.owner_id}:{chosen.machine}".encode()).hexdigest()
    return {"name": chosen.machine, "machine_id": machine.machine_id if machine else derived_id}


def _readings(run: RunFiles, names: Sequence[str]) -> list[RoundOutput]:
    """One reading per round of each output; those of files without an output are all of one round."""
    readings: list[RoundOutput] = []
    for file, name in zip(run.outputs, names, strict=False):
        whole = parsed(file.tool, file.head, bytes(file.reading or b""))
        first = 0 if run.alone else len(readings)
        readings += [RoundOutput(first + index, name, whole, index) for index in range(file.round_count)]
    return readings


def _artifact_names(run: RunFiles) -> list[str]:
    """The names of the run's files; those beside an output begin with `logs/`, so that no result is in them."""
    outputs = [_artifact_name(0 if run.alone else index, file.name) for index, file in enumerate(run.outputs)]
    beside = [f"{BESIDE}{_artifact_name(index, file.name)}" for file, index in run.beside]
    return _distinct([*outputs, *beside])


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, each but the first of equal ones with a number before its last part."""
    found: list[str] = []
    for name in names:
        folder, slash, base = name.rpartition("/")
        others = (f"{folder}{slash}{number}-{base}" for number in count(2))
        found.append(name if name not in found else next(other for other in others if other not in found))
    return found


def _artifact_name(index: int, name: str) -> str:
    base = _NOT_IN_NAMES.sub("_", base_name(name)).lstrip(".")[-LONGEST_BASE:]
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
        "parameters": {
            name: value[:LONGEST_TEXT] if isinstance(value, str) else value
            for name, value in head["parameters"].items()
            if value != ""
        },
        "parser_version": head["parser_version"],
        "clock_resolution": head["clock_resolution"],
    }


def _words(command: str | None) -> list[str]:
    try:
        return shlex.split(command or "")
    except ValueError:  # a quote that is not closed: split at white space
        return (command or "").split()


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
            **({"unit": draft.unit} if draft.unit else {}),
            "files": [{"name": file.name, "artifact": name} for file, name in zip(files, names, strict=True)],
        }
    }
    return {**extra, "parser_warnings": warnings} if warnings else extra
