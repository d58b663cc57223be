"""Campaigns that were measured of late: what can be compared without choosing run by run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from .models import RunQuerySet

LATEST_RUNS = 500
MOST_LISTED = 20


def recent_campaigns(listed: RunQuerySet) -> list[dict[str, Any]]:
    """Campaigns with at least two of the latest runs of one tool, newest first; one query.

    Rows of `{href, tool, runs, file_systems, machines, started_at}`.
    """
    columns = ("campaign_id", "tool", "target__file_system", "machine__name", "started_at")
    latest = listed.exclude(campaign_id=None).order_by("-id").values_list(*columns)[:LATEST_RUNS]
    found: dict[tuple[Any, str], list[Any]] = {}
    for campaign, tool, *rest in latest:
        found.setdefault((campaign, tool), []).append(rest)
    several = [(key, rows) for key, rows in found.items() if len(rows) > 1]
    return [_campaign(campaign, tool, rows) for (campaign, tool), rows in several[:MOST_LISTED]]


def _campaign(campaign: Any, tool: str, rows: list[Any]) -> dict[str, Any]:
    file_systems, machines, times = zip(*rows, strict=True)
    return {
        "href": f"{reverse('compare')}?{urlencode({'campaign': campaign, 'tool': tool})}",
        "tool": tool,
        "runs": len(rows),
        "file_systems": _distinct(file_systems),
        "machines": _distinct(machines),
        "started_at": min(times),
    }


def _distinct(values: Iterable[str | None]) -> str:
    """In the order of measuring; the rows are newest first."""
    return ", ".join(dict.fromkeys(value or "unknown" for value in reversed(list(values))))
