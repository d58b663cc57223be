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
class StateCount:
    """The number of points in a state with a link to them; `start` and `share` are per cent of a bar."""

    state: str
    text: str
    href: str
    chosen: bool
    start: float
    share: float
