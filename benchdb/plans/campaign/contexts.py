"""What the page of a campaign shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


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
