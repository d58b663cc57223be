"""Assembles result documents, schema `benchdb.run/1` (docs/result-format.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from benchagent import __version__
from benchagent.plan.model import PREPARATION, Target
from benchagent.targets.file_systems import mkfs_command, tune_command

from .records import Frame, RawOutput, Record, Round
from .results import merge

SCHEMA = "benchdb.run/1"
LONGEST_ERROR = 4000


def document(run_id: str, record: Record, frame: Frame) -> dict[str, Any]:
    """One run. `record` has at least one round."""
    rounds, plan = list(record.rounds), frame.plan
    finished = max(each.started_at + timedelta(seconds=each.elapsed) for each in rounds)
    found: dict[str, Any] = {
        "run_id": run_id,
        "schema": SCHEMA,
        "started_at": min(each.started_at for each in rounds).isoformat(),
        "finished_at": finished.isoformat(),
        "agent": {"version": __version__},
        "campaign": {"id": frame.campaign_id, "point": record.point.id},
        "labels": {"plan": plan.name, **plan.labels, **frame.labels},
        "machine": dict(frame.machine),
        "environment": dict(frame.environment),
        "target": _target(record),
        "state_before": dict(record.state_before or {}),
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
        "rounds": [_round(each) for each in rounds],
        "results": merge(rounds, whole=record.point.workload.tool != PREPARATION),
        "artifacts": [_artifact(each) for each in (*_outputs(rounds), *record.files)],
        "extra": _extra(record),
    }
    if frame.visibility is not None:
        found["visibility"] = frame.visibility
    return found


def _preparation_of(target: Target) -> str:
    if target.age is not None:
        return "restore"
    return "mkfs" if target.is_made else "none"


def _target(record: Record) -> dict[str, Any]:
    """The target as detected, with what only the agent knows; where it could never be mounted, what the plan says."""
    target = record.point.target
    found = record.target or {"file_system": {"type": target.file_system or None}, "mount": {}, "stack": []}
    command = list(mkfs_command(target)) if target.is_made else None
    mount, extra = dict(found["mount"]), dict(found.get("extra", {}))
    if target.is_made:
        mount["point"] = None  # in the work directory, wherever that is
    if target.tune2fs:
        extra["tune2fs_command"] = list(tune_command(target))
    file_system = {**found["file_system"], "mkfs_command": command}
    return {**found, "kind": target.kind, "file_system": file_system, "mount": mount, "extra": extra}


def _extra(record: Record) -> dict[str, Any]:
    """`translated`: what the kernel was given in place of what the plan says."""
    found = {"parser_warnings": record.warnings, "translated": list(record.point.target.notes)}
    return {key: value for key, value in found.items() if value}


def _workload(record: Record) -> dict[str, Any]:
    workload, parsed = record.point.workload, record.parsed
    found: dict[str, Any] = {
        "tool": workload.tool,
        "tool_version": parsed.tool_version if parsed else None,
        "command": list(record.command),
        "parameters": dict(record.parameters),
    }
    if parsed is not None:
        found.update(parser_version=parsed.parser_version, clock_resolution=parsed.clock_resolution)
    return found


def _round(each: Round) -> dict[str, Any]:
    found: dict[str, Any] = {
        "started_at": each.started_at.isoformat(),
        "position": each.position,
        "status": "ok" if each.error is None else "failed",
    }
    if each.error is not None:
        found["error"] = each.error[:LONGEST_ERROR]
    if each.evidence is not None:
        found["evidence"] = dict(each.evidence)
    return found


def _outputs(rounds: Iterable[Round]) -> Iterator[RawOutput]:
    return (output for each in rounds for output in each.artifacts)


def _artifact(output: RawOutput) -> dict[str, str]:
    return {
        "name": output.name,
        "media_type": output.media_type,
        "encoding": "utf-8",
        "data": output.text,
        "sha256": hashlib.sha256(output.text.encode()).hexdigest(),
    }
