"""The JSON columns of campaigns and jobs, and the checked document of a campaign.

`benchdb/ingest/contract/campaign.py` defines the units of a campaign, `benchdb/api/routes/work.py` those of progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict


class StoredSettings(TypedDict):
    """What is None has no limit, or was not asked for."""

    order: str
    cache: str
    seed: int
    rounds: int | None
    min_rounds: int
    time_budget: float | None
    precision: float | None
    memory: int | None


class StoredCampaignTarget(TypedDict):
    name: str
    kind: str
    summary: str
    notes: list[str]


class StoredCampaignWorkload(TypedDict):
    name: str
    tool: str
    summary: str


class StoredPoint(TypedDict):
    id: str
    target: str
    workload: str
    state: str
    reason: str | None


class StoredEnd(TypedDict):
    state: str
    at: str
    measured: int
    failed: int
    skipped: int
    missing: int
    reason: str | None


class StoredProgress(TypedDict, total=False):
    """The last report of an agent; `at` is when it came."""

    point: str
    round: str
    rounds_done: int
    points_done: int
    share: float
    left: float
    at: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """A checked document of `benchdb.campaign/1`; `visibility` is None if it names none, `ended` until it is over.

    `digest` is the SHA-256 of its canonical JSON without `ended`, `document_bytes` the bytes of what was sent.
    """

    machine_id: str
    machine_name: str
    agent_version: str
    visibility: str | None
    plan_name: str
    plan_text: str
    plan_sha256: str
    settings: StoredSettings
    targets: Sequence[StoredCampaignTarget]
    workloads: Sequence[StoredCampaignWorkload]
    points: Sequence[StoredPoint]
    started_at: datetime
    ended: StoredEnd | None
    digest: bytes
    document_bytes: int
