"""What names a run: itself, and its place in a campaign."""

from __future__ import annotations

from operator import attrgetter

from .fact import Fact
from .named import Named
from .names import parts_of_name
from .run import Run


def run_itself(run: Run) -> Named:
    """The run, named by its settings and the time at which it began."""
    return Named.of(run.id, (*parts_of_name(run), f"{run.started_at:%d %b %Y %H:%M}"), str(run.id))


def _campaign(run: Run) -> str | None:
    return None if run.campaign_id is None else str(run.campaign_id)


IDENTITY = (
    Fact("campaign", "campaign", _campaign, absent="no campaign"),
    Fact("campaign_point", "campaign point", attrgetter("campaign_point"), absent="no campaign"),
    Fact("run", "run", run_itself, place=True),
)
