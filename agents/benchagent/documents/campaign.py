"""Campaign documents, schema `benchdb.campaign/1` (docs/result-format.md).

The announcement, sent when a plan begins, lists every point and the reason for each skipped one. The ending repeats the
announcement with the outcome of the campaign.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timezone
from typing import TypedDict

from benchagent import __version__
from benchagent.formats.vocabulary import is_size
from benchagent.inventory import MachineIdentity
from benchagent.inventory.privacy.scrub import Scrub
from benchagent.plan.model import PREPARATION, Plan, Target, Workload
from benchagent.toml.quantities import format_size

from .records import CampaignFrame, PointRecord

SCHEMA = "benchdb.campaign/1"
LONGEST_TEXT = 1_000_000  # characters of a plan
LONGEST_WORDS = 4000  # characters of a reason or a summary


class AnnouncedPoint(TypedDict, total=False):
    """A point of a campaign: `planned`, or `skipped` for a reason."""

    id: str
    target: str
    workload: str
    state: str
    reason: str


class Tally(TypedDict):
    """The number of a campaign's points by outcome."""

    measured: int
    failed: int
    skipped: int
    missing: int


class CampaignEnd(Tally, total=False):
    """How a campaign ended: `finished`, `stopped`, `killed` or `failed`."""

    state: str
    at: str
    reason: str


class AnnouncedCampaign(TypedDict, total=False):
    """An announcement; with `ended` an ending."""

    campaign_id: str
    schema: str
    started_at: str
    agent: Mapping[str, str]
    machine: MachineIdentity
    plan: Mapping[str, str]
    settings: Mapping[str, object]
    targets: list[Mapping[str, object]]
    workloads: list[Mapping[str, str]]
    points: list[AnnouncedPoint]
    visibility: str
    ended: CampaignEnd


def announcement(frame: CampaignFrame, text: str, records: Collection[PointRecord], scrub: Scrub) -> AnnouncedCampaign:
    """The announcement of a campaign before its first round; `text` is the plan's TOML text."""
    plan = frame.plan
    workloads = {record.point.workload.name: record.point.workload for record in records}
    document: AnnouncedCampaign = {
        "campaign_id": frame.campaign_id,
        "schema": SCHEMA,
        "started_at": _now(),
        "agent": {"version": __version__},
        "machine": frame.machine,
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
        document["visibility"] = frame.visibility
    return document


def ending(announced: AnnouncedCampaign, state: str, tally: Tally, reason: str | None) -> AnnouncedCampaign:
    """The announcement with the state in which the campaign ended: `finished`, `stopped`, `killed` or `failed`."""
    ended: CampaignEnd = {
        "state": state,
        "at": _now(),
        "measured": tally["measured"],
        "failed": tally["failed"],
        "skipped": tally["skipped"],
        "missing": tally["missing"],
    }
    if reason:
        ended["reason"] = reason[:LONGEST_WORDS]
    return {**announced, "ended": ended}


def tally(records: Iterable[PointRecord]) -> Tally:
    """Number of points by outcome; a point counts as `measured` if none of its rounds failed."""
    points = list(records)
    return {
        "measured": sum(bool(record.rounds) and not record.failed for record in points),
        "failed": sum(record.failed > 0 for record in points),
        "skipped": sum(record.skipped is not None for record in points),
        "missing": sum(not record.rounds and record.skipped is None for record in points),
    }


def tally_of_killed(announced: AnnouncedCampaign) -> Tally:
    """The tally of a killed campaign with no rounds left; its runs show which points were measured."""
    skipped = sum(point["state"] == "skipped" for point in announced["points"])
    return {"measured": 0, "failed": 0, "skipped": skipped, "missing": len(announced["points"]) - skipped}


def describe_target(target: Target) -> str:
    """The target's settings as text, without paths, which mean nothing on other machines."""
    texts = [f"{target.kind} of {format_size(target.size)}" if target.size else target.kind]
    texts += [target.file_system] if target.file_system else []
    for program, options in (
        ("mkfs", target.mkfs_options),
        ("tune2fs", target.tune2fs),
        ("mount", target.mount_options),
    ):
        texts += [f"{program} {' '.join(options)}"] if options else []
    texts += [f"read-ahead {format_size(target.read_ahead)}"] if target.read_ahead is not None else []
    texts += [f"scheduler {target.scheduler}"] if target.scheduler else []
    texts += [f"nr_requests {target.nr_requests}"] if target.nr_requests is not None else []
    texts += ["aged"] if target.age is not None else []
    return ", ".join(texts)


def describe_workload(workload: Workload) -> str:
    """The workload's parameters as text."""
    if workload.tool == PREPARATION:
        return "mkfs and mount"
    parameters = [f"{key.replace('_', ' ')} {_value_text(key, value)}" for key, value in workload.parameters.items()]
    return "; ".join(text for text in parameters if "sha256" not in text)


def _value_text(key: str, value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_value_text(key, item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return format_size(value) if isinstance(value, int) and is_size(key) else str(value)


def _settings(plan: Plan) -> dict[str, object]:
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


def _target(target: Target, scrub: Scrub) -> dict[str, object]:
    return {
        "name": target.name,
        "kind": target.kind,
        "summary": scrub(describe_target(target))[:LONGEST_WORDS],
        "notes": [scrub(note)[:LONGEST_WORDS] for note in target.notes[:100]],
    }


def _workload(workload: Workload, scrub: Scrub) -> dict[str, str]:
    summary = scrub(describe_workload(workload))[:LONGEST_WORDS]
    return {"name": workload.name, "tool": workload.tool, "summary": summary}


def _point(record: PointRecord, scrub: Scrub) -> AnnouncedPoint:
    point = record.point
    facts: AnnouncedPoint = {
        "id": point.id,
        "target": point.target.name,
        "workload": point.workload.name,
        "state": "planned",
    }
    if record.skipped is not None:
        facts["state"] = "skipped"
        facts["reason"] = scrub(record.skipped)[:LONGEST_WORDS] or "no reason was given"
    return facts


def _now() -> str:
    return datetime.now(timezone.utc).isoformat()
