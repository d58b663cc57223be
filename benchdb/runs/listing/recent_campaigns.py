"""Recent campaigns, whose runs can be compared without choosing them one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from benchdb.facts.stored import Parameters
from benchdb.runs.models import RunQuerySet
from benchdb.wording.words import LONGEST_PARAMETERS, cut, params_in_words

LATEST_RUNS = 500
MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class RecentCampaign:
    """The runs of one tool in a campaign, for compare/sets.html; agents label runs with the plan.

    `run_ids` are those of its runs, and `campaign` is the id of the campaign.
    """

    campaign: UUID
    run_ids: Sequence[UUID]
    href: str
    plan: str
    tool: str
    parameters: str
    runs: int
    file_systems: str
    machines: str
    started_at: datetime


class CampaignRun(NamedTuple):
    """The columns of a run; `plan` is the label."""

    id: UUID
    file_system: str | None
    machine: str
    started_at: datetime
    parameters: Parameters
    plan: str | None


def recent_campaigns(listed: RunQuerySet) -> list[RecentCampaign]:
    """Campaigns with at least two of the latest runs of one tool, newest first; one query."""
    columns = ("campaign_id", "tool", "id", "target__file_system", "machine__name", "started_at", "parameters", "plan")
    of_campaigns = listed.of_campaigns().annotate(plan=KeyTextTransform("plan", "runstate__labels"))
    latest = of_campaigns.order_by("-id").values_list(*columns)[:LATEST_RUNS]
    runs_of: dict[tuple[UUID, str], list[CampaignRun]] = {}
    for campaign, tool, *rest in latest:
        runs_of.setdefault((campaign, tool), []).append(CampaignRun(*rest))
    several = [(key, runs) for key, runs in runs_of.items() if len(runs) > 1]
    return [_campaign(campaign, tool, runs) for (campaign, tool), runs in several[:MOST_LISTED]]


def _campaign(campaign: UUID, tool: str, runs: Sequence[CampaignRun]) -> RecentCampaign:
    return RecentCampaign(
        campaign=campaign,
        run_ids=[run.id for run in runs],
        href=f"{reverse('compare')}?{urlencode({'campaign': campaign, 'tool': tool})}",
        plan=_distinct(run.plan for run in runs if run.plan),
        tool=tool,
        parameters=cut(", ".join(params_in_words(_common([run.parameters for run in runs]))), LONGEST_PARAMETERS),
        runs=len(runs),
        file_systems=", ".join(sorted({run.file_system or "unknown" for run in runs})),
        machines=_distinct(run.machine for run in runs),
        started_at=min(run.started_at for run in runs),
    )


def _common(parameters: Sequence[Parameters]) -> Parameters:
    """The parameters that all of these have with equal values."""
    first, *others = parameters
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


def _distinct(values: Iterable[str]) -> str:
    """The distinct values in the order of measuring; the rows are newest first."""
    return ", ".join(dict.fromkeys(reversed(list(values))))
