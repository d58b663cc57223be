"""What the page of a campaign shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StateCount:
    """The number of points in a state with a link to them; `start` and `share` are per cent of a bar."""

    state: str
    text: str
    href: str
    chosen: bool
    start: float
    share: float
