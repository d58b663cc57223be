"""A campaign as the server is told of it, schema `benchdb.campaign/1` (docs/result-format.md): what is announced when a
plan begins, every point of it with why it is skipped; and how it ended."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timezone
from typing import Any, Callable

from benchagent import __version__
from benchagent.formats.vocabulary import is_size
from benchagent.plan.model import PREPARATION, Plan, Target, Workload
from benchagent.toml.quantities import format_size

from .records import Frame, Record

SCHEMA = "benchdb.campaign/1"
LONGEST_TEXT = 1_000_000  # characters of a plan
LONGEST_WORDS = 4000  # characters of a reason or a summary
Scrub = Callable[[str], str]


def announcement(frame: Frame, text: str, records: Collection[Record], scrub: Scrub) -> dict[str, Any]:
    """What is known before the first round; `text` is the plan as it was written."""
    plan = frame.plan
    workloads = {record.point.workload.name: record.point.workload for record in records}
    found: dict[str, Any] = {
        "campaign_id": frame.campaign_id,
        "schema": SCHEMA,
        "started_at": _now(),
        "agent": {"version": __version__},
        "machine": dict(frame.machine),
        "plan": {
            "name": plan.name,
            "text": scrub(text)[:LONGEST_TEXT],
            "sha256": hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
        },
        "settings": _settings(plan),
        "targets": [_target(target, scrub) for target in plan.targets],
        "workloads": [_workload(workload, scrub) for workload in workloads.values()],
        "points": [_point(record, scrub) for record in records],
    }
    if frame.visibility is not None:
        found["visibility"] = frame.visibility
    return found


def ending(announced: Mapping[str, Any], state: str, tally: Mapping[str, int], reason: str | None) -> dict[str, Any]:
    """The announcement once more, with how the campaign ended: `finished`, `stopped`, `killed` or `failed`."""
    ended: dict[str, Any] = {"state": state, "at": _now(), **tally}
    if reason:
        ended["reason"] = reason[:LONGEST_WORDS]
    return {**announced, "ended": ended}


def tally(records: Iterable[Record]) -> dict[str, int]:
    """How every point of the plan ended; `measured` ones have no failed round."""
    listed = list(records)
    return {
        "measured": sum(bool(each.rounds) and not each.failed for each in listed),
        "failed": sum(each.failed > 0 for each in listed),
        "skipped": sum(each.skipped is not None for each in listed),
        "missing": sum(not each.rounds and each.skipped is None for each in listed),
    }


def tally_of_killed(announced: Mapping[str, Any]) -> dict[str, int]:
    """The same where only the announcement is left: what was measured, its runs will tell."""
    skipped = sum(point["state"] == "skipped" for point in announced["points"])
    return {"measured": 0, "failed": 0, "skipped": skipped, "missing": len(announced["points"]) - skipped}


def describe_target(target: Target) -> str:
    """Its settings in words; paths are this machine's own affair."""
    parts = [f"{target.kind} of {format_size(target.size)}" if target.size else target.kind]
    parts += [target.file_system] if target.file_system else []
    for what, options in (("mkfs", target.mkfs_options), ("tune2fs", target.tune2fs), ("mount", target.mount_options)):
        parts += [f"{what} {' '.join(options)}"] if options else []
    parts += [f"read-ahead {format_size(target.read_ahead)}"] if target.read_ahead is not None else []
    parts += [f"scheduler {target.scheduler}"] if target.scheduler else []
    parts += [f"nr_requests {target.nr_requests}"] if target.nr_requests is not None else []
    parts += ["aged"] if target.age is not None else []
    return ", ".join(parts)


def describe_workload(workload: Workload) -> str:
    """Its parameters in words."""
    if workload.tool == PREPARATION:
        return "mkfs and mount"
    said = [f"{key.replace('_', ' ')} {_said(key, value)}" for key, value in workload.parameters.items()]
    return "; ".join(each for each in said if "sha256" not in each)


def _said(key: str, value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_said(key, each) for each in value)
    if isinstance(value, bool):
        return str(value).lower()
    return format_size(value) if isinstance(value, int) and is_size(key) else str(value)


def _settings(plan: Plan) -> dict[str, Any]:
    return {
        "order": plan.order,
        "cache": plan.cache,
        "seed": plan.seed,
        "rounds": plan.rounds,
        "min_rounds": plan.min_rounds,
        "time_budget": plan.time_budget,
        "precision": plan.precision,
        "memory": plan.memory,
    }


def _target(target: Target, scrub: Scrub) -> dict[str, Any]:
    return {
        "name": target.name,
        "kind": target.kind,
        "summary": scrub(describe_target(target))[:LONGEST_WORDS],
        "notes": [scrub(note)[:LONGEST_WORDS] for note in target.notes[:100]],
    }


def _workload(workload: Workload, scrub: Scrub) -> dict[str, Any]:
    summary = scrub(describe_workload(workload))[:LONGEST_WORDS]
    return {"name": workload.name, "tool": workload.tool, "summary": summary}


def _point(record: Record, scrub: Scrub) -> dict[str, Any]:
    point = record.point
    found = {"id": point.id, "target": point.target.name, "workload": point.workload.name, "state": "planned"}
    if record.skipped is not None:
        found.update(state="skipped", reason=scrub(record.skipped)[:LONGEST_WORDS] or "no reason was given")
    return found


def _now() -> str:
    return datetime.now(timezone.utc).isoformat()
