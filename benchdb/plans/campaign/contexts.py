"""What the page of a campaign shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from benchdb.plans.matrix import PointMatrix
from benchdb.runs.facts.terms import FactLine


@dataclass(frozen=True, slots=True)
class PlanTitle:
    """The title of web/partials/title.html; the time and state of a campaign that nobody announced are None."""

    parts: Sequence[str]
    time: datetime | None
    state: str | None


@dataclass(frozen=True, slots=True)
class PagePoll:
    """The address that `app.js` polls, and the version of this page."""

    href: str
    version: str


@dataclass(frozen=True, slots=True)
class ShownProgress:
    """The context of plans/partials/progress.html; what the agent did not report is None."""

    text: str
    done: str | None
    percent: int | None
    left: str | None
    at: datetime | None
    cancel: bool


@dataclass(frozen=True, slots=True)
class PointCount:
    """The number of all points; `href` is None if the page shows them all."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True)
class StateCount:
    """The number of points in a state with a link to them; `start` and `share` are per cent of a bar."""

    state: str
    text: str
    href: str
    chosen: bool
    start: float
    share: float


@dataclass(frozen=True, slots=True)
class RowPages:
    """Which rows are shown, with the addresses of the rows before and after."""

    text: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class SkipReason:
    """Why so many points are skipped."""

    id: str
    number: int
    text: str
    points: str


@dataclass(frozen=True, slots=True)
class ShownEnd:
    """How and when the campaign ended."""

    text: str
    at: datetime | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class CampaignComparison:
    """The comparison of all runs of the campaign; `label` names them in the tray.

    `tools`, if there are several, have a comparison each, the one with the most figures first. `response` is the
    address of its response curves, None if it measured no rising load.
    """

    href: str
    label: str
    response: str | None
    tools: Sequence[ToolComparison]


@dataclass(frozen=True, slots=True)
class ToolComparison:
    """The comparison of the campaign's runs of one tool."""

    tool: str
    href: str


@dataclass(frozen=True, slots=True)
class RepeatedCampaign:
    """A campaign of the same plan on another machine, which is the `role` of the pair, with the answer of the pair."""

    href: str
    machine: str
    role: str
    started_at: datetime
    sign: str
    answer: str
    counts: str
    details: str


@dataclass(frozen=True, slots=True)
class CampaignPage:
    """The context of plans/campaign.html.

    `state` is that of the shown points, "" for all. Without an announcement there are no `facts` and no `plan_text`;
    `progress` and `poll` are None unless the campaign is running; `compare` is None for too many runs. `machine`,
    `runs` and `data` are addresses. `warnings` are about the order of the points.
    """

    title: PlanTitle
    machine: str | None
    tally: Sequence[StateCount]
    state: str
    points: PointCount
    matrix: PointMatrix
    pages: RowPages | None
    reasons: Sequence[SkipReason]
    facts: Sequence[FactLine]
    end: ShownEnd | None
    warnings: Sequence[str]
    progress: ShownProgress | None
    poll: PagePoll | None
    plan_text: str | None
    compare: CampaignComparison | None
    runs: str | None
    data: str
    repeated: Sequence[RepeatedCampaign]
    campaign_id: UUID
    section: str = "machines"
