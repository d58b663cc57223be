"""Assembles the document of a run, schema `benchdb.run/1` (docs/result-format.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import timedelta

from benchagent import __version__
from benchagent.formats.columns import ResultColumns
from benchagent.inventory import TargetFacts, TargetState
from benchagent.plan.model import PREPARATION, Target
from benchagent.targets.file_systems import mkfs_command, tune_command

from .labels import labels_of_gate
from .records import CampaignFrame, PointRecord, RawOutput, Round
from .results import merge
from .series import series_of
from .shape import RunDocument, WorkloadOfRun

SCHEMA = "benchdb.run/1"
LONGEST_ERROR = 4000


def document(run_id: str, record: PointRecord, frame: CampaignFrame) -> RunDocument:
    """The document of one run. `record` must have at least one round."""
    rounds, plan = list(record.rounds), frame.plan
    finished = max(measured.started_at + timedelta(seconds=measured.elapsed) for measured in rounds)
    contents: RunDocument = {
        "run_id": run_id,
        "schema": SCHEMA,
        "started_at": min(measured.started_at for measured in rounds).isoformat(),
        "finished_at": finished.isoformat(),
        "agent": {"version": __version__},
        "campaign": {"id": frame.campaign_id, "point": record.point.id},
        "labels": {"plan": plan.name, **plan.labels, **frame.labels, **labels_of_gate(record.point)},
        "machine": frame.machine,
        "environment": frame.environment,
        "target": _target(record),
        "state_before": _state_before(record, rounds),
        "workload": _workload(record),
        "protocol": {
            "cache": plan.cache,
            "warmup_discarded": plan.warm_ups,
            "order": plan.order,
            "prepare": _preparation_of(record.point.target),
            "seed": plan.seed,
            "precision": plan.precision,
            "ended_by": record.ended_by,
        },
        "rounds": [_round(measured) for measured in rounds],
        "results": ResultColumns.of(merge(rounds, whole=record.point.workload.tool != PREPARATION)).as_json(),
        "artifacts": [_artifact(output) for output in (*_outputs(rounds), *record.files)],
        "extra": _extra(record),
    }
    if series := series_of(rounds):
        contents["series"] = series
    if frame.visibility is not None:
        contents["visibility"] = frame.visibility
    return contents


def _preparation_of(target: Target) -> str:
    if target.age is not None:
        return "restore"
    return "mkfs" if target.is_made else "none"


def _target(record: PointRecord) -> TargetFacts:
    """The target as detected, completed with the agent's commands; as planned if it could never be mounted."""
    target = record.point.target
    facts = record.target or {"file_system": {"type": target.file_system or None}, "mount": {}, "stack": []}
    command = list(mkfs_command(target)) if target.is_made else None
    mount, extra = facts["mount"].copy(), dict(facts.get("extra", {}))
    if target.is_made:
        mount["point"] = None  # somewhere in the work directory
    if target.tune2fs:
        extra["tune2fs_command"] = list(tune_command(target))
    file_system = {**facts["file_system"], "mkfs_command": command}
    return {**facts, "kind": target.kind, "file_system": file_system, "mount": mount, "extra": extra}


def _state_before(record: PointRecord, rounds: Iterable[Round]) -> TargetState:
    """The state of the prepared target, or of the target that the first round filled."""
    filled = next((measured.filled for measured in rounds if measured.filled is not None), None)
    return {**(record.state_before or {}), **(filled or {})}


def _extra(record: PointRecord) -> dict[str, list[str]]:
    """Parser warnings and, as `translated`, the options that the plan names and the kernel got in another form."""
    extra = {"parser_warnings": record.warnings, "translated": list(record.point.target.notes)}
    return {key: value for key, value in extra.items() if value}


def _workload(record: PointRecord) -> WorkloadOfRun:
    workload, parsed = record.point.workload, record.parsed
    facts: WorkloadOfRun = {
        "tool": workload.tool,
        "tool_version": parsed.tool_version if parsed else None,
        "command": list(record.command),
        "parameters": record.parameters,
    }
    if parsed is not None:
        facts["parser_version"] = parsed.parser_version
        facts["clock_resolution"] = parsed.clock_resolution
    return facts


def _round(measured: Round) -> dict[str, object]:
    facts: dict[str, object] = {
        "started_at": measured.started_at.isoformat(),
        "position": measured.position,
        "status": "ok" if measured.error is None else "failed",
    }
    if measured.error is not None:
        facts["error"] = measured.error[:LONGEST_ERROR]
    if measured.evidence is not None:
        facts["evidence"] = measured.evidence.as_json()
    return facts


def _outputs(rounds: Iterable[Round]) -> Iterator[RawOutput]:
    return (output for measured in rounds for output in measured.artifacts)


def _artifact(output: RawOutput) -> dict[str, str]:
    return {
        "name": output.name,
        "media_type": output.media_type,
        "encoding": "utf-8",
        "data": output.text,
        "sha256": hashlib.sha256(output.text.encode()).hexdigest(),
    }
