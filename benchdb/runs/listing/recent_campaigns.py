"""Campaigns in lists: their runs can be compared without choosing them one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import time
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Case, When
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from benchdb.facts.stored import Parameters
from benchdb.http.requests import Reader
from benchdb.runs.kept import find_all, seen_by_campaign
from benchdb.runs.models import Run, RunQuerySet, in_hidden_campaign, in_own_campaign
from benchdb.wording.names import told_apart
from benchdb.wording.words import LONGEST_PARAMETERS, cut, params_in_words

ANSWER = ("answer", "table")  # of the part that is kept of a table, before its query
LATEST_RUNS = 500
MOST_LISTED = 20
MOST_OF_ONE = 4  # campaigns of one account before those of others
DAY = 86_400


@dataclass(frozen=True, slots=True)
class RecentCampaign:
    """The runs of one tool in a campaign, for compare/sets.html; agents label runs with the plan.

    `run_ids` are those of its runs, and `campaign` is the id of the campaign. The table at `query` of its runs says the
    `answer`; "" if it is not known.
    """

    campaign: UUID
    run_ids: Sequence[UUID]
    query: str
    plan: str
    tool: str
    parameters: str
    runs: int
    rounds: int
    results: int
    file_systems: str
    machines: str
    started_at: datetime
    owner: int
    answer: str = ""

    @property
    def href(self) -> str:
        """The address of the table."""
        return f"{reverse('compare')}?{self.query}"


class CampaignRun(NamedTuple):
    """The columns of a run; `plan` is the label. `campaign` is None without one that its reader may list."""

    campaign: UUID | None
    tool: str
    id: UUID
    file_system: str | None
    machine: str
    started_at: datetime
    parameters: Parameters
    rounds: int
    results: int
    plan: str | None
    owner: int
    machine_id: int


def recent_campaigns(listed: RunQuerySet, reader: Reader | None) -> list[RecentCampaign]:
    """Campaigns with at least two of the latest runs of one tool, newest first, that `reader` may list; one query.

    Nobody holds the first places: not with ids of the future, nor with more than a few campaigns of one account, after
    which come those of others.
    """
    latest = campaign_runs(listed.of_campaigns().filter(id__lt=tomorrow()).order_by("-id")[:LATEST_RUNS], reader)
    found = [campaign_of(runs) for runs in by_campaign(latest, len(latest)) if len(runs) > 1]
    seen: Counter[int] = Counter()
    turns = [seen.update([each.owner]) or (seen[each.owner] - 1) // MOST_OF_ONE for each in found]
    return [found[place] for place in sorted(range(len(found)), key=turns.__getitem__)][:MOST_LISTED]


def tomorrow() -> UUID:
    """The least id of the future. An id begins with its milliseconds, and clocks may be wrong by a day."""
    return UUID(int=int(1000 * (time() + DAY)) << 80)


def with_answers(campaigns: Sequence[RecentCampaign], reader: Reader) -> list[RecentCampaign]:
    """The campaigns with the answers that workers kept for readers of the same runs; two queries, or none."""
    ids = {each.campaign for each in campaigns}
    listed = Run.objects.listed_for(reader).of_campaigns().filter(campaign_id__in=ids)
    seen = seen_by_campaign(listed.annotate(hidden=in_hidden_campaign(reader))) if ids else {}
    keys = {each.query: seen[each.campaign].key(*ANSWER, each.query) for each in campaigns if each.campaign in seen}
    kept = find_all(keys.values()) if keys else {}
    return [replace(each, answer=kept.get(keys.get(each.query, b""), b"").decode()) for each in campaigns]


def campaign_runs(runs: RunQuerySet, reader: Reader | None) -> list[CampaignRun]:
    """What rows of campaigns show `reader` of these runs, and workers (None) of all campaigns; one query.

    A run that names a campaign of somebody else has none.
    """
    is_shown = in_own_campaign() if reader is None else in_own_campaign() & ~in_hidden_campaign(reader)
    shown = Case(When(is_shown, then="campaign_id"))
    rows = runs.annotate(plan=KeyTextTransform("plan", "runstate__labels"), campaign=shown).values_list(
        *("campaign", "tool", "id", "target__file_system", "machine__name", "started_at", "parameters"),
        *("round_count", "runstate__result_count", "plan", "runstate__owner", "machine"),
    )
    found = [CampaignRun(*row) for row in rows]
    names = told_apart({run.machine_id: run.machine for run in found})
    return [run._replace(machine=names[run.machine_id]) for run in found]


def by_campaign(runs: Iterable[CampaignRun], most: int) -> list[list[CampaignRun]]:
    """The runs of one tool in a campaign together, as they come; none after the first `most` groups."""
    groups: dict[tuple[UUID | None, UUID | str], list[CampaignRun]] = {}
    for run in runs:
        key = (run.campaign, run.tool if run.campaign else run.id)
        if key not in groups and len(groups) == most:
            break
        groups.setdefault(key, []).append(run)
    return [*groups.values()]


def campaign_of(runs: Sequence[CampaignRun]) -> RecentCampaign:
    """The row of these runs of one tool in a campaign, newest first."""
    campaign, tool = runs[0].campaign, runs[0].tool
    assert campaign is not None
    return RecentCampaign(
        campaign=campaign,
        run_ids=[run.id for run in runs],
        query=urlencode({"campaign": campaign, "tool": tool}),
        plan=_distinct(run.plan for run in runs if run.plan),
        tool=tool,
        parameters=cut(", ".join(params_in_words(_common([run.parameters for run in runs]))), LONGEST_PARAMETERS),
        runs=len(runs),
        rounds=max(run.rounds for run in runs),
        results=sum(run.results for run in runs),
        file_systems=", ".join(sorted({run.file_system or "unknown" for run in runs})),
        machines=_distinct(run.machine for run in runs),
        started_at=min(run.started_at for run in runs),
        owner=runs[0].owner,
    )


def _common(parameters: Sequence[Parameters]) -> Parameters:
    """The parameters that all of these have with equal values."""
    first, *others = parameters
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


def _distinct(values: Iterable[str]) -> str:
    """The distinct values in the order of measuring; the rows are newest first."""
    return ", ".join(dict.fromkeys(reversed(list(values))))
