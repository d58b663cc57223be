"""What the page of a campaign shows: the matrix targets × workloads, every point accounted for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.dateparse import parse_datetime

from benchdb.runs.facts import fact
from benchdb.runs.numbers import plural, say_duration

from .models import Campaign, CampaignState, Job
from .queries import PointStatus, Standing

Context = dict[str, Any]
MOST_CELLS = 20_000  # twice the points of the largest plan; agents fill more than half of their matrix
ENDS = {
    CampaignState.FINISHED: "finished",
    CampaignState.STOPPED: "stopped before its end",
    CampaignState.KILLED: "ended when its agent was killed",
    CampaignState.FAILED: "failed",
}


def campaign_context(found: Standing) -> Context:
    """The context of `plans/campaign.html`."""
    campaign, reasons = found.campaign, _reasons(found.points)
    running = campaign is not None and not campaign.is_over
    return {
        "section": "runs",
        "title": _title(found),
        "tally": [{"state": state, "text": f"{number} {state}"} for state, number in found.tally.items()],
        "points": plural(len(found.points), "point"),
        "matrix": _matrix(found, reasons),
        "reasons": [
            {"id": f"why-{number}", "number": number, "text": text, "points": plural(points, "point")}
            for text, (number, points) in reasons.items()
        ],
        "facts": _facts(campaign) if campaign else [],
        "end": _end(campaign) if campaign else None,
        "progress": job_progress(found.job) if running and found.job else None,
        "poll": _poll(found) if running else None,
        "plan_text": campaign and campaign.plan_text,
        "compare": f"{reverse('compare')}?{urlencode({'campaign': found.id})}" if _measured(found) else None,
        "runs": f"{reverse('runs')}?{urlencode({'campaign': found.id})}" if _measured(found) else None,
        "data": reverse("api-1:get_campaign", args=[found.id]),
        "campaign_id": found.id,
    }


def job_progress(job: Job) -> Context:
    """The context of `plans/partials/progress.html`."""
    said = job.progress or {}
    share = said.get("share")
    left = said.get("left")
    done = said.get("points_done")
    return {
        "text": f"round {said['round']}, {said.get('point', '')}" if said.get("round") else "getting ready",
        "done": f"{plural(done, 'point')} done in this round" if done else None,
        "percent": None if share is None else round(100 * share),
        "left": None if left is None else f"about {say_duration(left)} left",
        "at": parse_datetime(said["at"]) if "at" in said else None,
        "cancel": job.cancel,
    }


def _poll(found: Standing) -> Context:
    """What `app.js` asks, and what it is told as long as nothing changes."""
    return {"href": reverse("api-1:campaign_state", args=[found.id]), "version": found.version}


def _measured(found: Standing) -> bool:
    return any(point.run_id for point in found.points)


def _title(found: Standing) -> Context:
    campaign = found.campaign
    if campaign is None:
        return {"parts": ["Campaign"], "time": None, "state": None}
    return {
        "parts": [campaign.plan_name, campaign.machine.name],
        "time": campaign.started_at,
        "state": campaign.state,
    }


def _facts(campaign: Campaign) -> list[Context]:
    settings = campaign.settings
    rounds = settings["rounds"]
    bounds = [plural(rounds, "round")] if rounds is not None else []
    if settings.get("time_budget") is not None:
        bounds.append(f"until {say_duration(settings['time_budget'])} are used up")
    if settings.get("precision") is not None:
        bounds.append(f"until the mean of every result is known within ± {100 * settings['precision']:g} %")
    listed = [
        ("rounds", ", ".join(bounds) or "no limit"),
        ("order", settings["order"] + (f", seed {settings['seed']}" if settings["order"] == "shuffled" else "")),
        ("cache", settings["cache"]),
        ("agent", f"benchagent {campaign.agent_version}"),
        ("visibility", campaign.visibility),
    ]
    return [fact(term, value) for term, value in listed]


def _end(campaign: Campaign) -> Context | None:
    ended: Mapping[str, Any] | None = campaign.ended
    if ended is None:
        return None
    return {
        "text": f"It {ENDS[CampaignState(campaign.state)]}",
        "at": parse_datetime(ended["at"]),
        "reason": ended.get("reason"),
    }


def _reasons(points: Sequence[PointStatus]) -> dict[str, tuple[int, int]]:
    """Why points are skipped: each reason with its number and how many points it is of."""
    found: dict[str, tuple[int, int]] = {}
    for point in points:
        if point.state == "skipped":
            number, points_before = found.get(point.reason, (len(found) + 1, 0))
            found[point.reason] = (number, points_before + 1)
    return found


def _matrix(found: Standing, reasons: Mapping[str, tuple[int, int]]) -> Context:
    targets = {each["name"]: each for each in found.campaign.targets} if found.campaign else {}
    workloads = {each["name"]: each for each in found.campaign.workloads} if found.campaign else {}
    columns = list(dict.fromkeys(point.workload for point in found.points))
    rows: dict[str, dict[str, PointStatus]] = {}
    for point in found.points:
        rows.setdefault(point.target, {})[point.workload] = point
    if len(rows) * len(columns) > MOST_CELLS:
        return _listed(found.points, reasons)
    return {
        "columns": [{"label": name, "note": workloads.get(name, {}).get("summary")} for name in columns],
        "rows": [
            {
                "label": name,
                "summary": targets.get(name, {}).get("summary"),
                "notes": targets.get(name, {}).get("notes", []),
                "cells": [_cell(own[column], reasons) if column in own else None for column in columns],
            }
            for name, own in rows.items()
        ],
    }


def _listed(points: Sequence[PointStatus], reasons: Mapping[str, tuple[int, int]]) -> Context:
    """One row a point, for what only a hostile document makes: a matrix of which nearly all would be empty."""
    rows = [{"label": point.id, "summary": None, "notes": [], "cells": [_cell(point, reasons)]} for point in points]
    return {"columns": [{"label": "point", "note": None}], "rows": rows}


def _cell(point: PointStatus, reasons: Mapping[str, tuple[int, int]]) -> Context:
    cell: Context = {"state": point.state, "text": point.state, "href": None, "note": None, "title": point.id}
    if point.run_id is not None:
        cell["href"] = reverse("run", args=[point.run_id])
        failed = f"{point.failed_rounds} of " if point.failed_rounds else ""
        cell["note"] = f"{failed}{plural(point.rounds, 'round')}{' failed' if failed else ''}"
    elif point.state == "skipped":
        number = reasons[point.reason][0]
        cell.update(href=f"#why-{number}", note=f"reason {number}", title=point.reason)
    return cell
