"""Runs that can be compared without choosing them one by one: the same workload on several targets of one machine."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.runs.models import RunQuerySet
from benchdb.wording.times import known_time
from benchdb.wording.words import LONGEST_PARAMETERS, cut, params_in_words

LATEST_RUNS = 500
MOST_LISTED = 12
MOST_RUNS = 12  # of one set: the newest of each target


def comparable_sets(listed: RunQuerySet) -> list[dict[str, object]]:
    """Sets among the latest runs that belong to no campaign, newest first; one query."""
    columns = ("id", "machine_id", "machine__name", "tool", "parameters", "target_id", "target__file_system")
    times = ("started_at", "finished_at")
    latest = listed.filter(campaign_id=None).order_by("-id").values(*columns, *times)[:LATEST_RUNS]
    by_workload: dict[tuple[object, ...], dict[object, dict[str, Any]]] = {}
    for run in latest:
        workload = (run["machine_id"], run["tool"], json.dumps(run["parameters"], sort_keys=True))
        by_workload.setdefault(workload, {}).setdefault(run["target_id"], run)  # the newest run of each target
    several = [list(runs.values())[:MOST_RUNS] for runs in by_workload.values() if len(runs) > 1]
    return [_describe(runs) for runs in several[:MOST_LISTED]]


def _describe(runs: list[dict[str, Any]]) -> dict[str, object]:
    # Sorted by name, so that sets of the same file systems look alike, then by time.
    in_order = sorted(runs, key=lambda run: (_file_system(run), run["id"]))  # an id begins with its time
    names = dict.fromkeys(map(_file_system, in_order))
    # Runs for compare/sets.html: the address of their table, and what they have in common in words.
    return {
        "href": f"{reverse('compare')}?{urlencode([('run', str(run['id'])) for run in in_order])}",
        "tool": in_order[0]["tool"],
        "parameters": cut(", ".join(params_in_words(in_order[0]["parameters"])), LONGEST_PARAMETERS),
        "runs": len(runs),
        "file_systems": ", ".join(names),
        "machines": in_order[0]["machine__name"],
        "started_at": known_time(runs[0]["started_at"], runs[0]["finished_at"]),
    }


def _file_system(run: dict[str, Any]) -> str:
    return run["target__file_system"] or "unknown"
