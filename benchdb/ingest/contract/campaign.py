"""The document of a campaign, schema `benchdb.campaign/1`: one execution of a plan, with every point it announces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from .crosscheck import check_id, objects
from .document import Agent, Machine, Sha256, Timestamp
from .faults import Fault, pointer, shown
from .field_types import Bytes, Count, Name, Quantity, Section, Text
from .json_text import Raw

CAMPAIGN_SCHEMA = "benchdb.campaign/1"
MOST_POINTS = 10_000  # as the agent's plans
LONGEST_PLAN = 1_000_000  # characters
PointText = Annotated[str, Field(max_length=4096, pattern=r"^[^\x00]*$")]  # may be empty


class PlanText(Section):
    """The plan as a person wrote it; `sha256` is that of the file, whose private names are placeholders in `text`."""

    name: Name
    text: Annotated[str, Field(max_length=LONGEST_PLAN, pattern=r"^[^\x00]*$")]
    sha256: Sha256


class Settings(Section):
    """How the points are measured; what is None has no limit, or is not asked for."""

    order: Literal["rotated", "interleaved", "shuffled", "sequential"]
    cache: Literal["cold", "warm", "uncontrolled"]
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)]
    rounds: Count | None
    min_rounds: Count
    time_budget: Quantity | None = None  # seconds
    precision: Quantity | None = None  # half the 95 % interval of the mean ÷ the mean
    memory: Bytes | None = None


class CampaignTarget(Section):
    name: Name
    kind: Name
    summary: PointText  # its settings in words
    notes: list[Text] = Field(default_factory=list, max_length=100)  # options translated for this kernel


class CampaignWorkload(Section):
    name: Name
    tool: Name
    summary: PointText


class Point(Section):
    """`id` is what runs name as their `campaign.point`."""

    id: Name
    target: Name
    workload: Name
    state: Literal["planned", "skipped"]
    reason: Text | None = None


class End(Section):
    """How it ended, and how many points ended how: `missing` ones have no round."""

    state: Literal["finished", "stopped", "killed", "failed"]
    at: Timestamp
    measured: Count
    failed: Count
    skipped: Count
    missing: Count
    reason: Text | None = None


class CampaignDocument(Section):
    campaign_id: Annotated[UUID, Field(strict=False)]
    schema_: Literal["benchdb.campaign/1"] = Field(alias="schema")
    started_at: Timestamp
    agent: Agent
    machine: Machine
    visibility: Literal["private", "unlisted", "public"] | None = None
    plan: PlanText
    settings: Settings
    targets: list[CampaignTarget] = Field(min_length=1, max_length=MOST_POINTS)
    workloads: list[CampaignWorkload] = Field(min_length=1, max_length=MOST_POINTS)
    points: list[Point] = Field(min_length=1, max_length=MOST_POINTS)
    ended: End | None = None


def crosscheck_campaign(raw: Raw, campaign_id: UUID | None = None) -> Iterator[Fault]:
    """Faults between fields. Values of wrong types are skipped, because the schema reports them."""
    yield from check_id(raw, "campaign_id", campaign_id)
    names = {
        key: [(i, name) for i, item in objects(raw, key) if isinstance(name := item.get("name"), str)]
        for key in ("targets", "workloads")
    }
    for key, found_names in names.items():
        yield from _twins(key, "name", found_names)
    points = objects(raw, "points")
    yield from _twins("points", "id", [(i, point.get("id")) for i, point in points])
    yield from _twin_cells(points)
    known = {key: {name for _, name in listed} for key, listed in names.items()}
    for i, point in points:
        yield from _point(i, point, known)


def _twins(key: str, field: str, listed: Sequence[tuple[int, object]]) -> Iterator[Fault]:
    seen: set[str] = set()
    for i, name in listed:
        if isinstance(name, str) and name in seen:
            yield Fault(pointer(key, i, field), shown(name), f"a {field} that no other of the {key} has")
        elif isinstance(name, str):
            seen.add(name)


def _twin_cells(points: list[tuple[int, Raw]]) -> Iterator[Fault]:
    """Points with the target and workload of an earlier point: the matrix could show only one of them."""
    seen: set[tuple[str, str]] = set()
    for i, point in points:
        target, workload = point.get("target"), point.get("workload")
        if isinstance(target, str) and isinstance(workload, str):
            if (target, workload) in seen:
                yield Fault(pointer("points", i, "workload"), shown(workload), "a workload with one point on a target")
            seen.add((target, workload))


def _point(i: int, point: Raw, names: Mapping[str, set[str]]) -> Iterator[Fault]:
    for key in ("target", "workload"):
        name = point.get(key)
        if isinstance(name, str) and name not in names[f"{key}s"]:
            yield Fault(pointer("points", i, key), shown(name), f"the name of one of the {key}s")
    if point.get("state") == "skipped" and point.get("reason") is None:
        yield Fault(pointer("points", i, "reason"), None, "why the point is skipped")
    elif point.get("state") == "planned" and isinstance(point.get("reason"), str):
        yield Fault(pointer("points", i, "reason"), shown(point["reason"]), "no reason, because the point is planned")
