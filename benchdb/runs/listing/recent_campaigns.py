"""Recent campaigns, whose runs can be compared without choosing them one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse

from benchdb.runs.models import RunQuerySet
from benchdb.wording.words import params_in_words

LATEST_RUNS = 500
MOST_LISTED = 20


def recent_campaigns(listed: RunQuerySet) -> list[dict[str, Any]]:
    """Campaigns with at least two of the latest runs of one tool, newest first; one query.

    Rows of `{href, plan, tool, parameters, runs, file_systems, machines, started_at}`; agents label runs with the plan.
    """
    columns = ("campaign_id", "tool", "target__file_system", "machine__name", "started_at", "parameters", "plan")
    of_campaigns = listed.exclude(campaign_id=None).annotate(plan=KeyTextTransform("plan", "runstate__labels"))
    latest = of_campaigns.order_by("-id").values_list(*columns)[:LATEST_RUNS]
    rows_of: dict[tuple[Any, str], list[Any]] = {}
    for campaign, tool, *rest in latest:
        rows_of.setdefault((campaign, tool), []).append(rest)
    several = [(key, rows) for key, rows in rows_of.items() if len(rows) > 1]
    return [_campaign(campaign, tool, rows) for (campaign, tool), rows in several[:MOST_LISTED]]


def _campaign(campaign: Any, tool: str, rows: list[Any]) -> dict[str, Any]:
    file_systems, machines, times, parameters, plans = zip(*rows, strict=True)
    return {
        "href": f"{reverse('compare')}?{urlencode({'campaign': campaign, 'tool': tool})}",
        "plan": _distinct(filter(None, plans)),
        "tool": tool,
        "parameters": ", ".join(params_in_words(_common(parameters))),
        "runs": len(rows),
        "file_systems": ", ".join(sorted({name or "unknown" for name in file_systems})),
        "machines": _distinct(machines),
        "started_at": min(times),
    }


def _common(parameters: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The parameters that all of these have with equal values."""
    first, *others = parameters
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


def _distinct(values: Iterable[str]) -> str:
    """The distinct values in the order of measuring; the rows are newest first."""
    return ", ".join(dict.fromkeys(reversed(list(values))))
