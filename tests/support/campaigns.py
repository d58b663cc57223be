"""Documents of campaigns, schema `benchdb.campaign/1`, and queued plans to test with."""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User

from benchdb.api.routes.campaigns import announcement
from benchdb.catalog.models import Machine
from benchdb.ingest.contract import validate_campaign
from benchdb.plans import queue
from benchdb.plans.models import Campaign, Job
from benchdb.plans.plan_texts import read_plan
from benchdb.plans.services import keep_campaign
from benchdb.runs.machine_names import keep_machine
from benchdb.runs.models import Visibility
from tests.support.documents import STARTED, encoded, uuid7

PLAN = """name = "tiny"
rounds = 2

[[targets]]
kind = "directory"

[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["64 KiB"]
"""
MACHINE_ID = "5a" * 32


def campaign_document(
    targets: Sequence[str] = ("ext4", "xfs"), workloads: Sequence[str] = ("mkfs", "iozone"), **sections: Any
) -> dict[str, Any]:
    """A valid announcement of a new campaign."""
    points = [_point(target, workload) for target in targets for workload in workloads]
    return {
        "campaign_id": str(uuid7()),
        "schema": "benchdb.campaign/1",
        "started_at": STARTED.isoformat(),
        "agent": {"version": "0.2.0"},
        "machine": {"name": "epyc-2", "machine_id": MACHINE_ID},
        "plan": {"name": "tiny", "text": PLAN, "sha256": hashlib.sha256(PLAN.encode()).hexdigest()},
        "settings": {"order": "rotated", "cache": "cold", "seed": 7, "rounds": 10, "min_rounds": 2},
        "targets": [{"name": name, "kind": "image", "summary": f"image of 1 GiB, {name}"} for name in targets],
        "workloads": [{"name": name, "tool": name, "summary": ""} for name in workloads],
        "points": points,
        **sections,
    }


def skipped(document: dict[str, Any], number: int, reason: str) -> dict[str, Any]:
    """The document with one point skipped."""
    points = [dict(point) for point in document["points"]]
    points[number] |= {"state": "skipped", "reason": reason}
    return {**document, "points": points}


def ended(document: dict[str, Any], state: str = "finished", **fields: Any) -> dict[str, Any]:
    """The document as the agent sends it at the end."""
    tally = {"measured": len(document["points"]), "failed": 0, "skipped": 0, "missing": 0}
    at = (STARTED + timedelta(hours=1)).isoformat()
    return {**document, "ended": {"state": state, "at": at, **tally, **fields}}


def store_campaign(owner: User, document: dict[str, Any] | None = None, visibility: str = "public") -> Campaign:
    """Store a document as the API does."""
    checked = validate_campaign(encoded(document or campaign_document()))
    return keep_campaign(owner, checked.document.campaign_id, announcement(checked), Visibility(visibility))[0]


def make_machine(owner: User, name: str = "epyc-2", machine_id: str = MACHINE_ID) -> Machine:
    """A machine of the owner."""
    return keep_machine(owner, machine_id, name, Visibility.PRIVATE)[0]


def queue_tiny(machine: Machine, plan: str = PLAN) -> Job:
    """A tiny plan that waits for the machine."""
    (job,) = queue.queue_plan(machine.owner, read_plan(plan), [machine], Visibility.PRIVATE)
    return job


def of_point(campaign_id: UUID | str, point: str) -> dict[str, str]:
    """The `campaign` section of a run."""
    return {"id": str(campaign_id), "point": point}


def _point(target: str, workload: str) -> dict[str, Any]:
    return {"id": f"{target}/{workload}", "target": target, "workload": workload, "state": "planned"}
